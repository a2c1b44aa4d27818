import type { CellBlock } from '../bench/plan-cells.ts';
import type { StoredEventLog } from '../store/open-event-log.ts';
import { type CaseData, makeCaseData } from './bench-case-data.ts';
import { openCaseWorkspace } from './bench-case-workspace.ts';
import type { Workspace } from './workspace.ts';

/** The data of a case and a workspace whose sources are that data. */
export interface OpenBlock {
  readonly data: CaseData;
  readonly workspace: Workspace;
}

/** Hands out the blocks of a suite: each is made when its first cell asks and removed after its last. */
export interface BlockKeeper {
  open(block: CellBlock): Promise<OpenBlock>;
  /** One cell of the block is over. */
  release(block: CellBlock): Promise<void>;
  /** Removes what is still there. */
  close(): Promise<void>;
}

export interface BlockSettings {
  readonly suiteFolder: string;
  /** The suite's own, without any case's sources. */
  readonly workspace: Workspace;
  readonly log: StoredEventLog;
}

/** @param left how many cells of each block are to be run */
export function createBlockKeeper(settings: BlockSettings, left: ReadonlyMap<CellBlock, number>): BlockKeeper {
  const opened = new Map<CellBlock, Promise<OpenBlock>>();
  const waiting = new Map(left);
  const remove = async (block: CellBlock): Promise<void> => {
    const one = await opened.get(block)?.catch(() => undefined);
    opened.delete(block);
    await one?.workspace.close();
    one?.data.remove();
  };
  return {
    open: (block) => {
      const known = opened.get(block) ?? openBlock(block, settings);
      opened.set(block, known);
      return known;
    },
    release: async (block) => {
      const rest = (waiting.get(block) ?? 1) - 1;
      waiting.set(block, rest);
      if (rest === 0) await remove(block);
    },
    close: async () => {
      for (const block of [...opened.keys()]) await remove(block);
    },
  };
}

async function openBlock({ caseSpec, seed }: CellBlock, { suiteFolder, workspace, log }: BlockSettings): Promise<OpenBlock> {
  const data = await makeCaseData(caseSpec, seed, suiteFolder);
  try {
    return { data, workspace: openCaseWorkspace(workspace, { flags: data.sources, log }) };
  } catch (error) {
    data.remove();
    throw error;
  }
}
