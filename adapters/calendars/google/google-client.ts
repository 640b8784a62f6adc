// The official client, signed in as the workspace, pointed at another origin when asked. Nothing is retried in here.
import { createHash } from 'node:crypto';
import type { calendar_v3 } from '@googleapis/calendar';
import { z } from 'zod';
import { googlePackage } from './google-package.ts';

const limits = {
  /** Signed-in clients kept, so that an access token serves its hour. */
  clientsMax: 500,
} as const;

const scope = 'https://www.googleapis.com/auth/calendar';

export interface GoogleApp {
  /** Of the OAuth client under which workspaces gave their consent; empty when only service accounts are used. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Origin that takes the place of Google's; null is Google. */
  readonly baseUrl: string | null;
}

export type GoogleClient = calendar_v3.Calendar;

/** The files that Google itself hands out: of a person who gave consent, or of a service account. */
export const GoogleCredentials = z.union([
  z.object({
    refresh_token: z.string().min(1),
    /** When the consent was given to another OAuth client than ours. */
    client_id: z.string().min(1).optional(),
    client_secret: z.string().min(1).optional(),
  }),
  z.object({
    client_email: z.string().min(1),
    private_key: z.string().min(1),
    /** Ours: the person of the domain in whose name the account acts. */
    subject: z.string().optional(),
  }),
]);
export type GoogleCredentials = z.infer<typeof GoogleCredentials>;

/** The same credentials get the same client. */
export function createGoogleClients(
  app: GoogleApp,
): (credentials: GoogleCredentials) => GoogleClient {
  const clients = new Map<string, GoogleClient>();
  return (credentials) => {
    const key = createHash('sha256').update(JSON.stringify(credentials)).digest('base64');
    const known = clients.get(key);
    if (known) return known;
    const made = googlePackage().calendar({
      version: 'v3',
      auth: signIn(app, credentials),
      retry: false,
    });
    clients.set(key, made);
    const [oldest] = clients.keys();
    if (clients.size > limits.clientsMax && oldest !== undefined) clients.delete(oldest);
    return made;
  };
}

function signIn(app: GoogleApp, credentials: GoogleCredentials) {
  const { auth } = googlePackage();
  // Requests for tokens leave by the transporter too, and service accounts know no other way to be pointed elsewhere.
  const shared = {
    forceRefreshOnFailure: true,
    ...(app.baseUrl && { transporterOptions: { fetchImplementation: fetchFrom(app.baseUrl) } }),
  };
  if ('refresh_token' in credentials) {
    const { client_id: clientId = app.clientId, client_secret: clientSecret = app.clientSecret } =
      credentials;
    const client = new auth.OAuth2({ ...shared, clientId, clientSecret });
    client.setCredentials({ refresh_token: credentials.refresh_token });
    return client;
  }
  return new auth.JWT({
    ...shared,
    email: credentials.client_email,
    key: credentials.private_key,
    scopes: [scope],
    ...(credentials.subject !== undefined && { subject: credentials.subject }),
  });
}

function fetchFrom(baseUrl: string): typeof fetch {
  return (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    return fetch(new URL(pathname + search, baseUrl), init);
  };
}
