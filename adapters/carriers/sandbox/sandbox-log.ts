// The network takes any logger that has these three.
import type { Logger } from '../../../platform/log.ts';

export type SandboxLog = Pick<Logger, 'info' | 'warn' | 'error'>;
