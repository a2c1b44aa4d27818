import { readdirSync, readFileSync } from 'node:fs';

/** A file of the page as it is sent. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** The files of the page by the path they are asked for; read once, so that a request never leads to the disk. */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  // From here, and from the bundle, whose folder stands beside `view`.
  const folder = new URL('../view/page/', import.meta.url);
  return new Map(
    readdirSync(folder).flatMap((name) => {
      const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
      if (type === undefined) return [];
      return [[name === 'index.html' ? '/' : `/${name}`, { type, bytes: readFileSync(new URL(name, folder)) }] as const];
    }),
  );
}
