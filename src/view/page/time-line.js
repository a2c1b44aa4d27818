import { counted, duration, tokens } from './format.js';

/**
 * What a session did, as rows under one another: agents, their replies and calls, the children of a call below it. It is a fold
 * over brief events, so that pages of a long session and the events of a running one are taken in as they come.
 */
export function createTimeLine() {
  const main = newAgent({ key: 'main', id: 'main', path: 'main', from: 0, depthOf: undefined });
  return { main, lanes: new Map([['main', main]]), calls: new Map(), rounds: new Map(), last: 0, taken: 0 };
}

function newAgent({ key, id, path, from, round = 1, name = '', goal = '' }) {
  return {
    key,
    kind: 'agent',
    id,
    path,
    round,
    from,
    to: undefined,
    started: undefined,
    queueMs: 0,
    name,
    model: '',
    text: goal,
    status: 'waiting',
    children: [],
  };
}

/** Takes events in the order of the log. */
export function takeEvents(line, events) {
  for (const event of events) takeEvent(line, event);
}

function takeEvent(line, event) {
  line.taken++;
  line.last = Math.max(line.last, event.at);
  const bounds = line.rounds.get(event.round) ?? { from: event.at, to: event.at };
  line.rounds.set(event.round, { from: Math.min(bounds.from, startOf(event)), to: Math.max(bounds.to, event.at) });
  const agent = line.lanes.get(event.agent) ?? adopt(line, event);
  if (agent.started === undefined) begin(agent, event);
  (TAKE[event.type] ?? takeRemark)(line, agent, event);
}

/** A reply stands in the log once it is there: it began before. */
function startOf({ at, type, usage }) {
  return type === 'model.replied' || type === 'model.failed' ? at - (usage?.totalMs ?? 0) : at;
}

function begin(agent, { at }) {
  agent.started = at;
  agent.from ||= at;
  if (agent.status === 'waiting') agent.status = 'running';
}

/** An agent that no delegation announced, in a log that lacks its beginning. */
function adopt(line, { agent: path, at, round }) {
  const agent = newAgent({ key: `agent ${path}`, id: path, path, from: at, round });
  line.main.children.push(agent);
  line.lanes.set(path, agent);
  return agent;
}

const TAKE = {
  'session.opened': (_line, agent, { name, model, text }) => Object.assign(agent, { name, model, text }),
  'agent.started': (_line, agent, { name, model, text }) => Object.assign(agent, { name, model, text: text || agent.text }),
  'agent.resumed': takeResumption,
  'model.replied': takeReply,
  'model.failed': takeReply,
  'tool.called': takeCall,
  'tool.finished': takeResult,
  'delegation.started': takeDelegation,
  'child.concluded': takeVerdict,
  'agent.concluded': takeConclusion,
  'session.closed': (_line, agent, { status, at }) => Object.assign(agent, { status, to: at }),
};

function takeResumption(line, agent, event) {
  Object.assign(agent, { status: 'running', to: undefined });
  takeRemark(line, agent, event);
}

function takeReply(_line, agent, event) {
  const { position, at, round, step, type, text, calls = 0, usage = {}, status } = event;
  const failed = type === 'model.failed';
  agent.queueMs += usage.queueMs ?? 0;
  const says = [
    failed ? 'the model failed' : calls > 0 ? `asks for ${counted(calls, 'call')}` : 'answers',
    tokens(usage),
    usage.queueMs >= 1 ? `waited ${duration(usage.queueMs)} for the model` : '',
    usage.tries > 1 ? `${usage.tries} tries` : '',
    status === 'length' ? 'cut off at the output limit' : '',
  ];
  agent.children.push({
    ...{ key: `@${position}`, kind: 'reply', open: `@${position}`, round, step, from: startOf(event), to: at },
    ...{
      waitMs: usage.queueMs ?? 0,
      name: `turn ${step}`,
      facts: says.filter(Boolean),
      text,
      status: failed ? 'failed' : status === 'length' ? 'cut' : '',
    },
    children: [],
  });
}

function takeCall(line, agent, { resultId, name, text, at, round, step }) {
  const known = line.calls.get(resultId);
  const call = known ?? { key: resultId, kind: 'call', open: resultId, children: [] };
  // A call that an interruption cut off is made again under the same id.
  Object.assign(call, { round, step, from: at, to: undefined, name, text, status: 'running', facts: [] });
  line.calls.set(resultId, call);
  if (!known) agent.children.push(call);
  return call;
}

function takeResult(line, agent, event) {
  const { resultId, at, status, complete, elapsedMs, characters, text, whole } = event;
  const call = line.calls.get(resultId) ?? takeCall(line, agent, { ...event, text: '' });
  const facts = [complete ? '' : 'incomplete', counted(characters, 'character'), whole ? 'shown to the model in part' : ''];
  Object.assign(call, { status, to: at, elapsedMs, result: text, facts: facts.filter(Boolean) });
}

function takeDelegation(line, agent, event) {
  const { resultId, at, round, name, text, concurrency, children, position } = event;
  const call = line.calls.get(resultId) ?? takeCall(line, agent, { ...event, text: '' });
  call.because = text;
  call.concurrency = concurrency;
  for (const { id, path, goal } of children) {
    const child = newAgent({ key: `agent ${id} @${position}`, id, path, from: at, round, name, goal });
    call.children.push(child);
    line.lanes.set(path, child);
  }
}

/** The caller's judgement stands above the child's own word. */
function takeVerdict(line, _agent, { id, path, status, text, usage, at }) {
  const child = line.lanes.get(path);
  if (child?.id !== id) return;
  Object.assign(child, { status, to: child.to ?? at, usage, open: id });
  const own = child.children.findLast(({ kind }) => kind === 'conclusion');
  if (own) Object.assign(own, { status });
  else
    child.children.push({
      key: `conclusion ${id}`,
      kind: 'conclusion',
      open: id,
      round: child.round,
      from: at,
      to: at,
      name: 'concludes',
      text,
      status,
      facts: [],
      children: [],
    });
}

function takeConclusion(_line, agent, { position, at, round, step, status, text, usage, model }) {
  Object.assign(agent, { status, to: at, usage, model: agent.model || model });
  const facts = [tokens(usage)].filter(Boolean);
  agent.children.push({
    key: `@${position}`,
    kind: 'conclusion',
    open: `@${position}`,
    round,
    step,
    from: at,
    to: at,
    name: 'concludes',
    text,
    status,
    facts,
    children: [],
  });
}

const NAMES = {
  'answer.grounded': 'figures checked',
  'permission.decided': 'approval',
  'limit.reached': 'limit',
  'loop.blocked': 'loop',
  'model.noticed': 'notice',
  'user.said': 'told',
  'context.fitted': 'window',
  'memory.recalled': 'memory',
};
const WARNINGS = new Set(['limit.reached', 'loop.blocked', 'interrupted', 'model.noticed']);

function takeRemark(_line, agent, { position, at, round, step, type, text }) {
  agent.children.push({
    ...{ key: `@${position}`, kind: 'remark', open: `@${position}`, round, step, from: at, to: at, name: NAMES[type] ?? type },
    ...{ text, status: WARNINGS.has(type) ? 'warning' : '', facts: [], children: [] },
  });
}
