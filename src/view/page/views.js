import { answerText, citations, restsOn, resultLink } from './answer-text.js';
import { h } from './element.js';
import { count, counted, duration, moment, tokens } from './format.js';
import { badge } from './time-line-view.js';

/** The sessions as a list of links; the one that is shown is marked. */
export function sessionList({ sessions, next, shown, filter, onMore }) {
  if (sessions.length === 0)
    return [h('p', { class: 'quiet' }, filter ? `No session has “${filter}” in it.` : 'No sessions yet; make one with soloist run.')];
  const items = sessions.map((one) =>
    h(
      'li',
      {},
      h(
        'a',
        { href: `#/${encodeURIComponent(one.session)}`, 'aria-current': one.session === shown ? 'page' : undefined },
        h('span', { class: 'question' }, one.question || one.session),
        h('span', { class: 'facts' }, badge(one.state), ` ${one.agent} · ${one.model}`),
        h('span', { class: 'facts' }, factsOf(one).join(' · ')),
      ),
    ),
  );
  return [
    h('ol', { class: 'sessions' }, items),
    next && h('button', { type: 'button', id: 'more-sessions', on: { click: onMore } }, 'More sessions'),
  ].filter(Boolean);
}

function factsOf({ openedAt, lastEventAt, used, events }) {
  return [moment(openedAt), duration(Math.max(0, lastEventAt - openedAt)), used ? tokens(used) : '', counted(events, 'event')].filter(
    Boolean,
  );
}

/** What a session came to: the answer with its figures, findings, delegations and cost. */
export function sessionHead({ session, question, report, concluded, earlier }) {
  const id = session.session;
  return [
    h('h2', {}, question || session.question || id),
    h('p', { class: 'facts' }, badge(session.state), ` ${session.agent} · ${session.model} · ${id}`),
    h('p', { class: 'facts' }, factsOf(session).join(' · ')),
    earlierRounds(earlier, id),
    answerSection({ report, concluded, session }),
    figureSection(report, id),
    findingSection(
      'Findings',
      report.findings.filter(({ kind }) => kind === 'cause' || kind === 'observation'),
      id,
    ),
    findingSection(
      'Ruled out',
      report.findings.filter(({ kind }) => kind === 'ruled_out'),
      id,
    ),
    findingSection(
      'Not checked',
      report.findings.filter(({ kind }) => kind === 'not_checked'),
      id,
    ),
    listSection('Warnings', report.warnings),
    delegationSection(report.delegations, id),
    listSection(
      'Recalled from memory, as background',
      report.notes.recalled.map(({ id: note, age, text }) => `${note}, ${age}: ${text}`),
    ),
    concluded && costSection(report),
  ].filter(Boolean);
}

function section(title, ...content) {
  return h('section', {}, h('h3', {}, title), ...content);
}

function listSection(title, lines) {
  return (
    lines.length > 0 &&
    section(
      title,
      h(
        'ul',
        {},
        lines.map((line) => h('li', {}, line)),
      ),
    )
  );
}

function earlierRounds(earlier, session) {
  if (earlier.length === 0) return undefined;
  const items = earlier.map(({ question, status, answer = '' }) =>
    h('details', {}, h('summary', {}, question, ' ', badge(status)), answerText(answer, { session })),
  );
  return section('Asked before', items);
}

function answerSection({ report, concluded, session: { session, state } }) {
  if (!concluded)
    return section('Answer', h('p', { class: 'quiet' }, state === 'running' ? 'Still at work.' : 'It ended without an answer.'));
  const unfinished =
    report.status !== 'ok' && h('p', { class: 'alarm' }, `Not finished (${report.status})${report.reason ? `: ${report.reason}` : ''}`);
  return section('Answer', unfinished, h('div', { class: 'answer' }, answerText(report.answer, { figures: report.figures, session })));
}

function figureSection({ figures, absences }, session) {
  const unfounded = absences.filter(({ supported }) => !supported);
  if (figures.length === 0 && unfounded.length === 0) return undefined;
  const of = (wanted) => figures.filter(({ status }) => status === wanted).length;
  const lines = [
    ...figures.flatMap((figure, index) =>
      figure.status === 'unsupported'
        ? [
            h(
              'li',
              {},
              h('a', { class: 'figure unsupported', href: `#/${encodeURIComponent(session)}/figures/${index}` }, figure.text),
              `: ${restsOn(figure)}`,
            ),
          ]
        : [],
    ),
    ...unfounded.map(({ text, reason }) => h('li', {}, `“${text}”${reason ? `: ${reason}` : ': no complete result says so'}`)),
  ];
  const head = `${counted(figures.length, 'figure')}: ${of('stated')} stated, ${of('derived')} derived, ${of('given')} given, ${of('unsupported')} unsupported.`;
  return section('Figures', h('p', {}, head), lines.length > 0 && h('ul', { class: 'alarm' }, lines));
}

function findingSection(title, findings, session) {
  return (
    findings.length > 0 &&
    section(
      title,
      h(
        'ul',
        {},
        findings.map((finding) => h('li', {}, findingLine(finding, session))),
      ),
    )
  );
}

function findingLine({ kind, claim, evidence, confidence, refutedBy, unsupported = [] }, session) {
  return [
    kind === 'cause' && h('strong', {}, 'Cause. '),
    citations(claim, session),
    evidence.length > 0 && [' [', evidence.flatMap((id, place) => [place === 0 ? '' : ', ', resultLink(id, session)]), ']'],
    kind !== 'not_checked' && h('span', { class: 'facts' }, ` (${confidence} confidence${refutedBy ? `; refuted by: ${refutedBy}` : ''})`),
    unsupported.length > 0 && h('span', { class: 'alarm' }, ` No result holds: ${unsupported.join(', ')}.`),
  ];
}

function delegationSection(delegations, session) {
  if (delegations.length === 0) return undefined;
  const items = delegations.map((one) =>
    h(
      'li',
      {},
      h('strong', {}, one.agent),
      ' ',
      resultLink(one.id, session),
      `, ${counted(one.children, 'task')} by ${one.caller}, for ${one.why}: `,
      h('span', { class: `badge ${one.verdict === 'paid' ? 'good' : 'bad'}` }, one.verdict),
      ` (${one.status}). ${one.because}`,
      h(
        'ul',
        {},
        one.claims.map(({ claim, cameTrue, measured }) =>
          h('li', {}, h('strong', {}, `${claim} ${cameTrue ? 'came true' : 'did not come true'}`), `: ${measured}.`),
        ),
      ),
      inlineTable(one),
    ),
  );
  return section('Delegations', h('ul', { class: 'delegations' }, items));
}

/** What it cost beside what it would have cost without the subagent. */
function inlineTable({ modelCalls, inputTokens, peakContextTokens, callerPeakTokens, wallMs, inline }) {
  const head = ['', 'model calls', 'tokens in', 'peak window', 'time'].map((name) => h('th', { scope: 'col' }, name));
  const row = (name, values) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, name),
      values.map((value) => h('td', {}, value)),
    );
  return h(
    'div',
    { class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'What it cost, and inline' },
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, head)),
      h('tbody', {}, [
        row('as it was', [count(modelCalls), count(inputTokens), count(Math.max(peakContextTokens, callerPeakTokens)), duration(wallMs)]),
        row('inline', [count(inline.modelCalls), count(inline.inputTokens), count(inline.peakContextTokens), '–']),
      ]),
    ),
  );
}

function costSection({ usage, model, embeddings }) {
  const { modelCalls, toolCalls, inputTokens, outputTokens, peakContextTokens, wallMs, cost } = usage;
  const facts = [
    model === 'rules' ? counted(modelCalls, 'turn') : counted(modelCalls, 'model call'),
    counted(toolCalls, 'tool call'),
    tokens({ inputTokens, outputTokens }),
    `peak window ${count(peakContextTokens)}`,
    ...(cost === undefined ? [] : [`cost ${Number(cost.toPrecision(3))}`]),
    ...(embeddings ? [`recall beside that: ${counted(embeddings.calls, 'embedding call')}, ${count(embeddings.tokens)} tokens`] : []),
    duration(wallMs),
  ];
  return section('Cost', h('p', {}, `${facts.join(', ')}${model === 'rules' ? ' (estimated; no model was called)' : ''}.`));
}
