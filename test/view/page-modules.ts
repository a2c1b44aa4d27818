import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('../../src/view/page/', import.meta.url));

/** An element as the page's modules describe it. */
export interface PageNode {
  readonly tag: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly children: readonly PageChild[];
}
export type PageChild = PageNode | string | number;

// biome-ignore lint/suspicious/noExplicitAny: modules of the page are plain JavaScript
export type PageModule = Readonly<Record<string, any>>;

/** A module of the page as the browser gets it. */
export async function pageModule(name: string): Promise<PageModule> {
  return (await import(pathToFileURL(`${folder}${name}`).href)) as PageModule;
}

export function pageFile(name: string): string {
  return readFileSync(`${folder}${name}`, 'utf8');
}

/** All elements of a description, in order. */
export function elementsOf(nodes: readonly PageChild[]): PageNode[] {
  return nodes.flatMap((node) => (typeof node === 'object' ? [node, ...elementsOf(node.children)] : []));
}

export function textsOf(nodes: readonly PageChild[]): string {
  return nodes.map((node) => (typeof node === 'object' ? textsOf(node.children) : String(node))).join('');
}
