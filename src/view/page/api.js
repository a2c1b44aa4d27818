/** What the server could not answer, with what to do. */
export class ApiError extends Error {
  constructor({ message, fix }) {
    super(message);
    this.fix = fix;
  }
}

/** Asks the server for documents; a failure of any kind is an {@link ApiError}. */
export function createApi(fetch) {
  const get = async (address) => {
    let answer;
    try {
      const response = await fetch(address);
      answer = await response.json();
    } catch {
      throw new ApiError({ message: 'the viewer does not answer: it was ended', fix: 'start it again with soloist view' });
    }
    if (answer.error) throw new ApiError(answer.error);
    return answer;
  };
  const at = (session, rest = '') => `/api/sessions/${encodeURIComponent(session)}${rest}`;
  return {
    sessions: ({ after, filter }) =>
      get(`/api/sessions?${new URLSearchParams({ ...(after ? { after } : {}), ...(filter ? { q: filter } : {}) })}`),
    session: (session) => get(at(session)),
    events: (session, { after, limit }) => get(at(session, `/events?after=${after}&limit=${limit}`)),
    result: (session, id, { part, offset }) => get(at(session, `/results/${encodeURIComponent(id)}?part=${part}&offset=${offset}`)),
    figure: (session, figure) => get(at(session, `/figures/${encodeURIComponent(figure)}`)),
  };
}
