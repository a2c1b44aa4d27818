/** Whom a request went to, as failures speak of it. */
export interface Addressee {
  readonly model: string;
  /** As it may be shown: without credentials. */
  readonly host: string;
  readonly hints: ServerHints;
}

/** What to do about a failure, in the words of one kind of server. */
export interface ServerHints {
  readonly unreachable: string;
  readonly checkHost: string;
  readonly slow: string;
  readonly missingModel: (model: string) => string;
  readonly signIn: string;
  readonly wrongHost: string;
  readonly log: string;
}
