import { counted } from '../core/counted.ts';
import { clip } from './clip-text.ts';
import { costOf, count, duration, moment, tokens } from './format-figures.ts';
import type { Paint } from './paint.ts';
import type { AgentTrace, CallTrace, ReplyTrace, SessionTrace, StepTrace } from './session-trace.ts';
import { type TreeNode, treeLines } from './tree-lines.ts';

export interface RenderOptions {
  readonly paint: Paint;
  /** The most characters of arguments in a line. */
  readonly most: number;
}

/** A session as a tree of agents, steps, replies, calls and conclusions. */
export function renderSession(trace: SessionTrace, options: RenderOptions): string {
  const { paint } = options;
  const { usage } = trace.main;
  const head = [
    `${paint.bold(`Session ${trace.session}`)} · ${trace.agent} on ${trace.model} · ${painted(trace.status, paint)} · ${moment(trace.openedAt)} · ${duration(trace.lastEventAt - trace.openedAt)} · ${count(trace.events)} events`,
    `Question: ${clip(trace.question, options.most * 4)}`,
    ...(usage
      ? [
          `${count(usage.modelCalls)} model calls, ${count(usage.toolCalls)} tool calls, ${count(usage.inputTokens)} tokens in, ${count(usage.outputTokens)} out, peak window ${count(usage.peakContextTokens)}${costOf(trace)}`,
        ]
      : []),
    ...(trace.embeddings
      ? [
          `Recall beside that: ${counted(trace.embeddings.calls, 'embedding call')}, ${count(trace.embeddings.tokens)} tokens${costOf(trace.embeddings)}`,
        ]
      : []),
  ];
  return `${head.join('\n')}\n\n${treeLines(agentNode(trace.main, options)).join('\n')}\n`;
}

function agentNode(agent: AgentTrace, options: RenderOptions): TreeNode {
  const { paint, most } = options;
  const going = agent.path === agent.id ? '' : ` (goes on as ${agent.path})`;
  const goal = agent.id === 'main' || !agent.task ? '' : `: ${clip(agent.task.goal, most)}`;
  const text = `${paint.bold(`${agent.id} ${agent.agent}`)}${going}${agent.model ? paint.dim(` (${agent.model})`) : ''}${goal}`;
  return { text, children: [...agent.steps.map((step) => stepNode(step, options)), endNode(agent, options)] };
}

function endNode(agent: AgentTrace, { paint, most }: RenderOptions): TreeNode {
  if (agent.status === 'unfinished') return { text: paint.warn('not concluded') };
  const reason = agent.reason === undefined ? '' : ` (${agent.reason})`;
  const evidence = agent.evidence.length > 0 ? paint.dim(` [${clip(agent.evidence.join(', '), most)}]`) : '';
  const children = (agent.grounding?.figures ?? [])
    .filter(({ status }) => status === 'unsupported')
    .map((figure) => ({ text: paint.bad(`unsupported figure: ${figure.text}${figure.reason ? ` (${figure.reason})` : ''}`) }));
  return { text: `concluded ${painted(agent.status, paint)}${reason}: ${clip(agent.text, most)}${evidence}`, children };
}

function stepNode(step: StepTrace, options: RenderOptions): TreeNode {
  const { paint } = options;
  const text = step.replies.length > 0 ? step.replies.map((reply) => replyText(reply, options)).join('; ') : paint.dim('no model call');
  return {
    text: `step ${step.step} · ${text}`,
    children: [...step.remarks.map((remark) => ({ text: paint.warn(remark.text) })), ...step.calls.map((call) => callNode(call, options))],
  };
}

function replyText(reply: ReplyTrace, { paint, most }: RenderOptions): string {
  const used = paint.dim(tokens(reply.usage));
  if (reply.failure !== undefined) return `${used} ${paint.bad(`failed: ${clip(reply.failure, most)}`)}`;
  const cut = reply.finish === 'length' ? paint.bad(' cut off at the output limit') : '';
  const thinking = reply.thinkingCharacters > 0 ? paint.dim(` (thought ${count(reply.thinkingCharacters)} characters)`) : '';
  const empty = reply.calls === 0 && reply.text === '' ? paint.bad(' empty') : '';
  return `${used}${thinking}${cut}${empty}${reply.text ? ` “${clip(reply.text, most)}”` : ''}`;
}

function callNode(call: CallTrace, options: RenderOptions): TreeNode {
  const { paint, most } = options;
  const took = call.elapsedMs === undefined ? '' : `, ${duration(call.elapsedMs)}`;
  const whole = call.complete || call.status === 'unfinished' || call.status === 'error' || call.status === 'refused' ? '' : ', incomplete';
  const reference = call.reference === undefined ? '' : paint.dim(` (whole result: ${call.reference.slice(0, 12)})`);
  const text = `${call.resultId} ${paint.bold(call.tool)} ${clip(JSON.stringify(call.arguments), most)} → ${painted(call.status, paint)}${whole}${took}${call.head ? `: ${call.head}` : ''}${reference}`;
  return {
    text: call.because === undefined ? text : `${text}\n${paint.dim(call.because)}`,
    children: call.children.map((child) => agentNode(child, options)),
  };
}

function painted(status: string, paint: Paint): string {
  if (status === 'ok') return paint.good(status);
  return status === 'no_data' || status === 'partial' || status === 'open' ? paint.warn(status) : paint.bad(status);
}
