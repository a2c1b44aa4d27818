import type { Tool } from '../src/core/tool.ts';
import { recordFinding } from './findings/record-finding.ts';
import { readBlob } from './results/read-blob.ts';

/** Every tool that ships, in the order of the documentation. */
export const BUILT_IN_TOOLS: readonly Tool[] = [recordFinding, readBlob];
