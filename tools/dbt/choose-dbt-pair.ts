import { suggestName } from '../../src/core/nearest.ts';
import { chooseInvocation, type Invocation } from './load-invocations.ts';

/** Two runs in order of time, or why there are none. */
export type DbtPair = { readonly before: Invocation; readonly after: Invocation } | { readonly refusal: string };

/** The runs that are named; unless both are, the newest and the newest one before it of the same command and project. */
export function chooseDbtPair(
  invocations: readonly Invocation[],
  { a, b }: { readonly a?: string | undefined; readonly b?: string | undefined },
): DbtPair {
  if (invocations.length < 2)
    return {
      refusal: `two runs are needed and ${invocations.length} ${invocations.length === 1 ? 'was' : 'were'} found; name a source that holds several target folders`,
    };
  const known = invocations.flatMap(({ path, results }) => [path, results.invocationId ?? '']).filter((name) => name !== '');
  for (const name of [a, b])
    if (name !== undefined && !chooseInvocation(invocations, name))
      return { refusal: `there is no dbt run "${name.slice(0, 100)}"; ${suggestName(name, known)}` };
  const after =
    b === undefined
      ? invocations.find((one) => a === undefined || one !== chooseInvocation(invocations, a))
      : chooseInvocation(invocations, b);
  if (!after) return { refusal: 'there is no second run' };
  if (a !== undefined) {
    const before = chooseInvocation(invocations, a) as Invocation;
    return before === after ? { refusal: 'a and b are the same run' } : { before, after };
  }
  const earlier = invocations.slice(invocations.indexOf(after) + 1);
  const before = earlier.find((one) => like(one, after)) ?? earlier[0];
  return before ? { before, after } : { refusal: `no run is older than ${after.path}; name both with a and b` };
}

function like(one: Invocation, other: Invocation): boolean {
  return one.results.command === other.results.command && projectOf(one) === projectOf(other);
}

function projectOf({ results }: Invocation): string {
  return results.nodes[0]?.node.split('.')[1] ?? '';
}
