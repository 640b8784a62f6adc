/** Who a request speaks for: one key of one workspace. */
export interface KeyIdentity {
  readonly keyId: string;
  readonly workspaceId: string;
  readonly mode: 'live' | 'test';
}
