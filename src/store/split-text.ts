const LONGEST_PIECE = 600;
const LONGEST_STATEMENT = 300;
const SHORTEST_STATEMENT = 25;

/** A piece of a text with the statements in it; none where the piece is one statement itself. */
export interface TextPiece {
  readonly text: string;
  readonly statements: readonly string[];
}

/** A text as pieces of at most 600 characters, each of whole statements: sentences and list items, a longer one parted between words. */
export function splitText(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let open: string[] = [];
  let length = 0;
  const close = (): void => {
    if (open.length > 0) pieces.push({ text: open.join('').trim(), statements: open.length > 1 ? open.map((part) => part.trim()) : [] });
    open = [];
    length = 0;
  };
  for (const statement of statementsOf(text)) {
    if (length + statement.length > LONGEST_PIECE) close();
    open.push(statement);
    length += statement.length;
  }
  close();
  return pieces.filter((piece) => piece.text !== '');
}

/** The statements with the white space that follows them, so that joined they are the text. */
function statementsOf(text: string): string[] {
  const statements: string[] = [];
  for (const [part] of text.matchAll(/(?:[^\n.!?。！？]|[.!?](?!\s|$|["')\]]))+(?:[.!?。！？]+["')\]]*)?\s*|\s+|[.!?。！？]+\s*/g)) {
    const last = statements.at(-1);
    // Too short to mean something alone: "Yes." and the number of a list item belong to what stands beside them.
    if (last !== undefined && (last.trim().length < SHORTEST_STATEMENT || part.trim().length < SHORTEST_STATEMENT) && fits(last, part))
      statements[statements.length - 1] = last + part;
    else statements.push(part);
  }
  return statements.flatMap(parted);
}

function fits(one: string, other: string): boolean {
  return one.length + other.length <= LONGEST_STATEMENT && !/\n\s*\n\s*$/.test(one);
}

function parted(statement: string): string[] {
  const parts: string[] = [];
  let rest = statement;
  while (rest.length > LONGEST_STATEMENT) {
    const space = rest.lastIndexOf(' ', LONGEST_STATEMENT);
    // Whole characters only: half of a surrogate pair is no text.
    const end =
      space > LONGEST_STATEMENT / 2 ? space + 1 : LONGEST_STATEMENT - (/[\ud800-\udbff]/.test(rest[LONGEST_STATEMENT - 1] ?? '') ? 1 : 0);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  if (rest.trim() !== '' || parts.length === 0) parts.push(rest);
  return parts;
}
