import type { AgentMemory, Scratchpad } from '../core/agent-memory.ts';
import { SoloistError } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import type { LogPlace } from '../core/note.ts';
import type { Triple } from '../core/triple.ts';
import type { Member } from './agent-team.ts';
import type { ProjectMemory } from './memory-project.ts';
import { memorySettingsOf } from './memory-settings.ts';

const TOOL_BUDGET_TOKENS = 1_500;

/**
 * The project's memory as one agent of a session sees it: subagents share it by reference, each within its own settings, and what each
 * recalls is paid from its own budget. What it records is an event of the agent first.
 */
export function memoryOf(member: Member): AgentMemory | undefined {
  const { team, spec, path, recorder } = member;
  const { memory } = team;
  if (!memory) return undefined;
  const settings = memorySettingsOf(team.workspace.project.memory, spec);
  let pad: Scratchpad | undefined;
  let proposals = 0;
  return {
    may: { recall: settings.recall, write: settings.write },
    recall: (question, { limit, kinds, superseded }) =>
      memory.recall(question, {
        now: team.now().getTime(),
        budgetTokens: Math.min(TOOL_BUDGET_TOKENS, Math.floor(spec.limits.contextTokens / 8)),
        limit,
        superseded: superseded ? 'mark' : 'leave_out',
        exceptSession: team.session,
        ...(kinds ? { kinds } : {}),
        ...(settings.scope === 'agent' ? { agent: spec.name } : {}),
      }),
    propose: (note) => {
      proposals++;
      recorder.record({ type: 'note.proposed', id: `${path === 'main' ? '' : `${path}.`}p${proposals}`, agent: spec.name, ...note });
      recorder.flush();
      return proposals;
    },
    addTriple: async ({ replaces = false, ...triple }) => {
      const place: LogPlace = { session: team.session, agent: path, step: recorder.state.step, sequence: recorder.state.sequence };
      recorder.record({ type: 'triple.added', ...triple, replaces, agent: spec.name });
      recorder.flush();
      await recorder.settled();
      return takeTriple(memory, place);
    },
    walk: memory.store.triples.walk,
    names: memory.store.triples.names,
    skills: team.workspace.project.skills,
    scratchpad: (next) => {
      pad = next ?? pad ?? lastPad(team.log.read(team.session), path);
      return pad;
    },
  };
}

/** Takes in what has passed the log, and with it the redaction: never what the agent said. */
function takeTriple({ store, log }: ProjectMemory, place: LogPlace): Triple {
  for (const event of log.read(place.session)) {
    const { body, at } = event;
    if (body.type !== 'triple.added' || event.agent !== place.agent || event.step !== place.step || event.sequence !== place.sequence)
      continue;
    return store.triples.add({ ...body, place, at });
  }
  throw new SoloistError('internal', 'the relation is not in the log');
}

/** The pad as the latest result of this agent has it. */
function lastPad(events: Iterable<Event>, path: string): Scratchpad {
  let pad: Scratchpad = { todo: [], notes: [] };
  for (const { agent, body } of events) {
    if (agent === path && body.type === 'plan.made') pad = { todo: body.steps.map((item) => ({ item, done: false })), notes: [] };
    if (agent !== path || body.type !== 'tool.finished' || body.tool !== 'scratchpad' || body.status !== 'ok') continue;
    pad = (JSON.parse(body.content) as { data: Scratchpad }).data;
  }
  return pad;
}
