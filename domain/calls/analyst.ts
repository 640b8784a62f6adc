// The analyst port: reads a finished call again, in calm, and tells what was said in it.
import type { AgentConfig } from '../agents/agent-config.ts';
import type { HeardTurn } from './call-desk.ts';
import type { ExtractedAnswer } from './call-report.ts';

export interface FinishedCall {
  readonly agent: Pick<AgentConfig, 'businessName' | 'purpose' | 'questions'>;
  readonly turns: readonly HeardTurn[];
}

export interface CallFindings {
  /** Each with the very words that prove it; an answer without them is dropped by whoever asked. */
  readonly answers: readonly Pick<ExtractedAnswer, 'key' | 'value' | 'quote'>[];
  readonly summary: string | null;
}

export type AnalysisResult =
  | { readonly kind: 'found'; readonly findings: CallFindings }
  /** Worth another try; `detail` names the cause and nothing of the call. */
  | { readonly kind: 'failed'; readonly detail: string };

export interface Analyst {
  /** The id of the model. */
  readonly name: string;
  /** Never rejects, and answers within its own time limit. */
  analyse(call: FinishedCall): Promise<AnalysisResult>;
}
