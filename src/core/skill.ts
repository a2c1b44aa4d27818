/** A procedure that people wrote for agents, from one Markdown file: read as it stands, never harvested from sessions. */
export interface Skill {
  /** kebab-case; an own skill takes the place of a shipped one of the same name. */
  readonly name: string;
  readonly description: string;
  /** The situations that it is for; what a question is compared with. */
  readonly whenToUse: string;
  /** The Markdown below the front matter. */
  readonly text: string;
  /** Absolute path of the file. */
  readonly file: string;
  readonly shipped: boolean;
}
