import { describe, expect, it } from 'vitest';
import { hostForDisplay } from '../../../src/models/chat/host-for-display.ts';
import { resolveHost } from '../../../src/models/ollama/resolve-host.ts';

describe('resolveHost', () => {
  it.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['', 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
    [':5000', 'http://127.0.0.1:5000'],
    ['gpu-box', 'http://gpu-box:11434'],
    ['gpu-box:80', 'http://gpu-box:80'],
    ['http://gpu-box', 'http://gpu-box:80'],
    ['https://gpu-box', 'https://gpu-box:443'],
    ['https://gpu-box/ollama/', 'https://gpu-box:443/ollama'],
    ['gpu-box:1234/prefix', 'http://gpu-box:1234/prefix'],
    ['::1', 'http://[::1]:11434'],
    ['[::1]:9', 'http://[::1]:9'],
    ['[::]', 'http://[::1]:11434'],
    ['"127.0.0.1:7"', 'http://127.0.0.1:7'],
    [' localhost ', 'http://localhost:11434'],
  ])('%j is %s', (given, host) => {
    expect(resolveHost(given)).toBe(host);
  });

  it.each([['ftp://x'], ['a b'], ['x:99999']])('%j is refused', (given) => {
    expect(() => resolveHost(given)).toThrow(/cannot be used/);
  });

  it('hides a password where the host is shown', () => {
    expect(hostForDisplay(resolveHost('http://me:secret@box:1'))).toBe('http://box:1');
  });
});
