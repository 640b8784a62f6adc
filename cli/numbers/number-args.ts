// What the commands for numbers are given.

export interface NumberArgs {
  readonly workspaceId: string | undefined;
  /** A number or an area code. */
  readonly subject: string | undefined;
}
