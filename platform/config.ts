// The environment, read once, checked, and handed on. A wrong value stops the start and names its variable.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';

const port = z.coerce.number().int().min(1).max(65_535);
const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const origin = (schemes: readonly string[]) =>
  z.string().refine((value) => isOrigin(value, schemes), {
    message: `must be an origin such as ${schemes[0]}://example.com, without a path`,
  });

const Environment = z.object({
  NODE_ENV: z.string().default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(8080),
  GATEWAY_PORT: port.optional(),
  SANDBOX_PORT: port.optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  APP_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  WEBHOOK_ALLOW_LOCAL_URLS: flag.default(false),
  SIMULATION_SPEED: z.coerce.number().positive().max(1_000).default(1),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(3_600).default(15),
  CLOCK_OFFSET_MS: z.coerce.number().int().default(0),
  CARRIER: z.enum(['sandbox', 'twilio', 'telnyx']).default('sandbox'),
  CARRIER_CALLS_PER_SECOND: z.coerce.number().int().min(1).max(1_000).optional(),
  SANDBOX_PROTOCOL: z.enum(['twilio', 'telnyx']).default('twilio'),
  TWILIO_ACCOUNT_SID: z.string().min(1).optional(),
  TWILIO_AUTH_TOKEN: z.string().min(1).optional(),
  TWILIO_BASE_URL: origin(['https', 'http']).default('https://api.twilio.com'),
  TELNYX_API_KEY: z.string().min(1).optional(),
  TELNYX_PUBLIC_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be the 32 octets of the public key in base64')
    .optional(),
  TELNYX_CONNECTION_ID: z.string().min(1).optional(),
  TELNYX_MESSAGING_PROFILE_ID: z.string().min(1).optional(),
  TELNYX_BASE_URL: origin(['https', 'http']).default('https://api.telnyx.com'),
  RATE_DECK_FILE: z.string().min(1).optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_/, 'must begin with sk_ or rk_')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_/, 'must begin with whsec_')
    .optional(),
  STRIPE_BASE_URL: origin(['https', 'http']).default('https://api.stripe.com'),
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_BASE_URL: origin(['https', 'http']).optional(),
  CAL_COM_BASE_URL: origin(['https', 'http']).default('https://api.cal.com'),
  LLM_BASE_URL: z.httpUrl().optional(),
  LLM_API_KEY: z.string().min(1).optional(),
  LLM_MODEL: z.string().min(1).optional(),
  PUBLIC_URL: origin(['https', 'http']).optional(),
  GATEWAY_PUBLIC_URL: origin(['wss', 'ws']).optional(),
});

/** Used when RATE_DECK_FILE names no other. */
export const shippedRateDeckFile = fileURLToPath(
  new URL('../adapters/rate-decks/us.csv', import.meta.url),
);

/** What a carrier grants a new account: https://www.twilio.com/docs/glossary/cps */
const defaultCallsPerSecond = 1;
const sandboxAccountSid = `AC${'0'.repeat(32)}`;

export interface Config {
  readonly production: boolean;
  /** Address to listen on. */
  readonly host: string;
  readonly port: number;
  readonly gatewayPort: number;
  readonly sandboxPort: number;
  readonly dataDir: string;
  /** Absent when the embedded Postgres is wanted. */
  readonly databaseUrl: string | undefined;
  readonly webhookAllowLocalUrls: boolean;
  readonly simulationSpeed: number;
  readonly logLevel: string;
  /** How long running calls may take to end once a shutdown was asked for. */
  readonly drainSeconds: number;
  readonly clockOffsetMs: number;
  /** Held over all processes; null without a limit. */
  readonly carrierCallsPerSecond: number | null;
  readonly carrier: 'sandbox' | 'twilio' | 'telnyx';
  /** How the carrier is spoken to: its own way, or the one chosen for the sandbox. */
  readonly carrierProtocol: 'twilio' | 'telnyx';
  readonly twilio: {
    readonly accountSid: string;
    readonly authToken: string;
    readonly baseUrl: string;
  };
  /** Empty where the sandbox takes its place. */
  readonly telnyx: {
    readonly apiKey: string;
    readonly publicKey: string;
    readonly connectionId: string;
    readonly messagingProfileId: string | null;
    readonly baseUrl: string;
  };
  /** CSV with the price of every destination. */
  readonly rateDeckFile: string;
  /** Null when deposits are an operator's credit. */
  readonly stripe: {
    readonly secretKey: string;
    readonly webhookSecret: string;
    readonly baseUrl: string;
  } | null;
  readonly google: {
    /** Empty when no OAuth client is configured; service accounts need none. */
    readonly clientId: string;
    readonly clientSecret: string;
    /** Takes the place of all of Google's origins; null is Google. */
    readonly baseUrl: string | null;
  };
  readonly calComBaseUrl: string;
  /** The model that reads calls again; null when none is set. */
  readonly llm: {
    readonly baseUrl: string;
    readonly apiKey: string | undefined;
    readonly model: string;
  } | null;
  readonly publicUrl: string;
  readonly gatewayPublicUrl: string;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads the environment; throws ConfigError with one line per wrong variable. */
export function loadConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(describeIssue).join('\n'));
  const env = parsed.data;
  const production = env.NODE_ENV === 'production';
  const problems = [...crossChecks(env, production)];
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  const dataDir = resolve(env.DATA_DIR);
  const gatewayPort = env.GATEWAY_PORT ?? env.PORT + 1;
  const sandboxPort = env.SANDBOX_PORT ?? env.PORT + 2;
  return Object.freeze({
    production,
    host: env.HOST,
    port: env.PORT,
    gatewayPort,
    sandboxPort,
    dataDir,
    databaseUrl: env.DATABASE_URL,
    webhookAllowLocalUrls: env.WEBHOOK_ALLOW_LOCAL_URLS,
    simulationSpeed: env.SIMULATION_SPEED,
    logLevel: env.LOG_LEVEL,
    drainSeconds: env.DRAIN_SECONDS,
    clockOffsetMs: env.CLOCK_OFFSET_MS,
    carrier: env.CARRIER,
    carrierCallsPerSecond:
      env.CARRIER_CALLS_PER_SECOND ?? (env.CARRIER === 'sandbox' ? null : defaultCallsPerSecond),
    carrierProtocol: env.CARRIER === 'sandbox' ? env.SANDBOX_PROTOCOL : env.CARRIER,
    twilio: {
      // Sandbox or not, crossChecks made sure that what is used is set.
      accountSid: env.CARRIER === 'twilio' ? (env.TWILIO_ACCOUNT_SID ?? '') : sandboxAccountSid,
      authToken: env.TWILIO_AUTH_TOKEN ?? '',
      baseUrl: env.CARRIER === 'twilio' ? env.TWILIO_BASE_URL : `http://127.0.0.1:${sandboxPort}`,
    },
    telnyx: {
      apiKey: env.TELNYX_API_KEY ?? '',
      publicKey: env.TELNYX_PUBLIC_KEY ?? '',
      connectionId: env.TELNYX_CONNECTION_ID ?? '',
      messagingProfileId: env.TELNYX_MESSAGING_PROFILE_ID ?? null,
      baseUrl: env.CARRIER === 'telnyx' ? env.TELNYX_BASE_URL : `http://127.0.0.1:${sandboxPort}`,
    },
    rateDeckFile: resolve(env.RATE_DECK_FILE ?? shippedRateDeckFile),
    stripe: stripeAccount(env),
    google: {
      clientId: env.GOOGLE_CLIENT_ID ?? '',
      clientSecret: env.GOOGLE_CLIENT_SECRET ?? '',
      baseUrl: env.GOOGLE_BASE_URL ?? null,
    },
    calComBaseUrl: env.CAL_COM_BASE_URL,
    llm:
      env.LLM_BASE_URL && env.LLM_MODEL
        ? {
            baseUrl: env.LLM_BASE_URL.replace(/\/+$/, ''),
            apiKey: env.LLM_API_KEY,
            model: env.LLM_MODEL,
          }
        : null,
    publicUrl: env.PUBLIC_URL ?? `http://127.0.0.1:${env.PORT}`,
    gatewayPublicUrl: env.GATEWAY_PUBLIC_URL ?? `ws://127.0.0.1:${gatewayPort}`,
  });
}

/** Secrets stand apart from the config, so that the config can be logged. */
export interface Secrets {
  /** Signs media tokens, seals stored secrets, derives the demo workspace's keys. */
  readonly appSecret: string;
}

/** Takes APP_SECRET, or makes one on first use and keeps it in the data directory (mode 0600). */
export function loadSecrets(environment: NodeJS.ProcessEnv, dataDir: string): Secrets {
  const given = environment['APP_SECRET'];
  if (given) return { appSecret: given };
  const file = join(dataDir, 'app-secret');
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return { appSecret: readFileSync(file, 'utf8').trim() };
}

function* crossChecks(env: z.infer<typeof Environment>, production: boolean) {
  if (production && env.WEBHOOK_ALLOW_LOCAL_URLS)
    yield 'WEBHOOK_ALLOW_LOCAL_URLS: must not be true when NODE_ENV is production';
  yield* stripeChecks(env, production);
  if (!env.GOOGLE_CLIENT_ID !== !env.GOOGLE_CLIENT_SECRET)
    yield 'GOOGLE_CLIENT_SECRET: goes with GOOGLE_CLIENT_ID, set both or neither';
  if (env.LLM_BASE_URL && !env.LLM_MODEL) yield 'LLM_MODEL: is required with LLM_BASE_URL';
  if (!env.LLM_BASE_URL && (env.LLM_MODEL || env.LLM_API_KEY))
    yield 'LLM_BASE_URL: is required with LLM_MODEL and LLM_API_KEY';
  if (env.CARRIER === 'sandbox') return;
  for (const name of carrierVariables[env.CARRIER])
    if (!env[name]) yield `${name}: is required when CARRIER is ${env.CARRIER}`;
}

const carrierVariables = {
  twilio: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'PUBLIC_URL', 'GATEWAY_PUBLIC_URL'],
  telnyx: [
    'TELNYX_API_KEY',
    'TELNYX_PUBLIC_KEY',
    'TELNYX_CONNECTION_ID',
    'PUBLIC_URL',
    'GATEWAY_PUBLIC_URL',
  ],
} as const;

function* stripeChecks(env: z.infer<typeof Environment>, production: boolean) {
  if (env.STRIPE_WEBHOOK_SECRET && !env.STRIPE_SECRET_KEY)
    yield 'STRIPE_SECRET_KEY: is required when STRIPE_WEBHOOK_SECRET is set';
  if (!env.STRIPE_SECRET_KEY) return;
  if (!env.STRIPE_WEBHOOK_SECRET)
    yield 'STRIPE_WEBHOOK_SECRET: is required when STRIPE_SECRET_KEY is set';
  if (production && !env.PUBLIC_URL)
    yield 'PUBLIC_URL: is required when STRIPE_SECRET_KEY is set and NODE_ENV is production';
}

function stripeAccount(env: z.infer<typeof Environment>): Config['stripe'] {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = env;
  // One without the other was refused by crossChecks.
  if (!secretKey || !webhookSecret) return null;
  return { secretKey, webhookSecret, baseUrl: env.STRIPE_BASE_URL };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')}: ${issue.message}`;
}

function isOrigin(value: string, schemes: readonly string[]): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return (
    schemes.includes(url.protocol.slice(0, -1)) &&
    (url.pathname === '/' || url.pathname === '') &&
    !url.search &&
    !url.hash
  );
}
