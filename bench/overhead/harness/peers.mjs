// Every configuration that is measured: the adapter's folder, and what is set for it. A product is one more line here.
export const peers = {
  'bare-http': { dir: 'bare-http', entry: 'node:http' },
  'bare-http-stream': { dir: 'bare-http', env: { STREAM: '1' } },
  'bare-http-stream-bytes': { dir: 'bare-http', env: { CACHED: 'bytes', STREAM: '1' } },
  'bare-ollama': { dir: 'bare-ollama', entry: 'ollama' },
  'bare-ollama-http-stream': { dir: 'bare-ollama', env: { FETCH: 'http', STREAM: '1' } },
  'bare-ollama-stream': { dir: 'bare-ollama', env: { STREAM: '1' } },
  soloist: { dir: 'soloist' },
  'soloist-nolog': { dir: 'soloist', env: { NOLOG: '1' } },
  'ai-sdk': { dir: 'ai-sdk', entry: ['ai', '@ai-sdk/openai-compatible', 'zod'] },
  langgraph: { dir: 'langgraph', entry: ['@langchain/langgraph/prebuilt', '@langchain/ollama', '@langchain/core/tools', 'zod'] },
  'openai-agents': { dir: 'openai-agents', entry: ['@openai/agents', 'zod'] },
};
