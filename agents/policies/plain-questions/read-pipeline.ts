import { isOneSentence } from './read-plain.ts';

/** A question about runs, logs, stages or lineage that one look answers. `name` is what the question calls the thing. */
export type PipelineAsk =
  | { readonly kind: 'stage' | 'spill' | 'skew' | 'jobs' | 'runChanges' | 'firstFailure' | 'failsMost' | 'longestLogged' }
  | { readonly kind: 'lineage'; readonly direction: 'upstream' | 'downstream'; readonly of: 'nodes' | 'jobs'; readonly name: string };

const NAME = String.raw`(?:the )?(?:tables?|models?|views?|datasets?|nodes?|jobs?|tasks?|files?|reports?|dashboards?|columns?)?\s*[\`"']?([\w./:$-]*[\w$])[\`"']?(?:\s+(?:tables?|models?|views?|datasets?|jobs?))?`;
const JOBS = '(?:which|what) (?:jobs?|tasks?|models?|dags?|pipelines?|process|run)';
const WHAT = String.raw`(?:what|which|who|list|show|everything|all)(?: \w+){0,3}?`;

/** What else is asked with it wants to be looked into. */
const PLAINLY = String.raw`(?!.*\b(?:broke|broken|wrong|changed?|fail\w*|happened|late|why|different)\b)(?:.* )?`;

type Pattern = readonly [RegExp, 'upstream' | 'downstream', 'nodes' | 'jobs'];

const LINEAGE: readonly Pattern[] = [
  [
    whole(`${JOBS} (?:writes?|wrote|produces?|creates?|fills?|loads?|builds?|makes?|updates?|populates?)(?: to| into)? ${NAME}`),
    'upstream',
    'jobs',
  ],
  [whole(`(?:what|who) (?:writes?|produces?|creates?|fills?|loads?|populates?)(?: to| into)? ${NAME}`), 'upstream', 'jobs'],
  [whole(`${JOBS} (?:reads?|consumes?|uses?)(?: from)? ${NAME}`), 'downstream', 'jobs'],
  [whole(`(?:what|who) (?:reads?|consumes?|uses?)(?: from)? ${NAME}`), 'downstream', 'jobs'],
  [whole(`what (?:does|do) ${NAME} (?:depend on|come from|read|use|rely on|need)(?: from)?`), 'upstream', 'nodes'],
  [whole(`what (?:does|do) ${NAME} feed(?: into)?`), 'downstream', 'nodes'],
  [whole(`where (?:does|do) ${NAME} come from`), 'upstream', 'nodes'],
  [
    whole(
      `(?:what|which \\w+) (?:is|are|was|were) ${NAME} (?:made|built|derived|computed|calculated|loaded|created|based) (?:from|of|on|out of)`,
    ),
    'upstream',
    'nodes',
  ],
  [whole(`(?:how|from what) (?:is|are|was) ${NAME} (?:made|built|derived|computed|created)`), 'upstream', 'nodes'],
  [whole(`what feeds(?: into)? ${NAME}`), 'upstream', 'nodes'],
  [whole(`${WHAT} (?:depends?|relies|rely|builds?|based|is built|are built) (?:up)?on ${NAME}`), 'downstream', 'nodes'],
  [
    whole(
      `${WHAT} (?:is|are|gets?) (?:made|built|derived|computed|fed|affected|touched|hit|broken) (?:from|by|if) ${NAME}(?: (?:is|was|breaks?|fails?|failed|wrong|late|changes?).*)?`,
    ),
    'downstream',
    'nodes',
  ],
  [whole(`${WHAT} (?:breaks?|is affected|are affected|is hit|fails?|is touched) (?:if|when) ${NAME}(?: .*)?`), 'downstream', 'nodes'],
  [whole(`${PLAINLY}downstream (?:of|from) ${NAME}`), 'downstream', 'nodes'],
  [whole(`${PLAINLY}upstream (?:of|from) ${NAME}`), 'upstream', 'nodes'],
  [whole(`${PLAINLY}lineage (?:of|for) ${NAME}`), 'upstream', 'nodes'],
];

function whole(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`, 'i');
}

/** The pipeline questions that a text may be, the likeliest first; each is only tried where a source can answer it. */
export function readPipeline(text: string): readonly PipelineAsk[] {
  if (!isOneSentence(text)) return [];
  const asked = text.trim().replace(/[?.!\s]+$/, '');
  const lower = asked.toLowerCase();
  const found: PipelineAsk[] = [];
  for (const [pattern, direction, of] of LINEAGE) {
    const name = pattern.exec(asked)?.[1];
    if (name !== undefined && !/^(it|this|that|them|there|data|the)$/i.test(name)) {
      found.push({ kind: 'lineage', direction, of, name });
      break;
    }
  }
  // Why it spilled is a question for an investigation.
  if (/\bspill\w*\b/.test(lower) && !/^why\b/.test(lower)) found.push({ kind: 'spill' });
  if (/\bskew\w*\b/.test(lower) && !/^why\b/.test(lower)) found.push({ kind: 'skew' });
  if (/\bstages?\b/.test(lower) && /\b(slow|slowest|longest|most time|took|long)\b/.test(lower) && !/\bslower\b/.test(lower))
    found.push({ kind: 'stage' });
  if (/^(which|what|list|show|how many)\b.*\b(jobs?|pipelines?|dags?)\b( \w+)? (ran|run|are there|there are|exist|is there)$/.test(lower))
    found.push({ kind: 'jobs' });
  if (
    /\b(changed?|changes|differ\w*|different|new)\b/.test(lower) &&
    /\b(runs?|builds?|invocations?|dbt)\b/.test(lower) &&
    !/\bwhy\b/.test(lower)
  )
    found.push({ kind: 'runChanges' });
  if (
    /^(when|since when|what time|at what time)\b.*\b(first|start\w*|beg[ai]n|begin\w*)\b/.test(lower) &&
    /\b(fail\w*|errors?|break\w*|broke\w*|crash\w*|wrong)\b/.test(lower)
  )
    found.push({ kind: 'firstFailure' });
  if (/\b(fail\w*|errors?|crash\w*|retr\w*)\b.*\b(most|most often|the most)\b|\bmost (failures|errors|retries|often)\b/.test(lower))
    found.push({ kind: 'failsMost' });
  if (
    /\b(longest|slowest|most time)\b/.test(lower) &&
    /\b(models?|tests?|seeds?|snapshots?|tasks?|nodes?)\b/.test(lower) &&
    !/\bwhy\b/.test(lower)
  )
    found.push({ kind: 'longestLogged' });
  return found;
}
