// The operations on recordings: the audio itself, and a link that plays it for a while.
import { z } from 'zod';
import { limits } from './limits.ts';
import { defineOperation } from './operation.ts';

const minutes = limits.recording.linkLifetimeMinutes;

const order_id = z.string().meta({
  description: 'Identifier of the order whose call was recorded.',
  examples: ['ord_7Q2M4X9KTB'],
});

const ETag = z.string().meta({ description: 'Changes when the recording does.' });
const AcceptRanges = z.literal('bytes').meta({ description: 'Parts may be asked for.' });
const ContentLength = z.string().meta({ description: 'Octets of this answer.' });
const ContentRange = z.string().meta({ description: 'Which octets these are, and of how many.' });

export const RecordingLink = z
  .object({
    success: z.literal(true).meta({ description: 'Always true.' }),
    url: z.string().meta({
      format: 'uri',
      description: 'Address of the MP3 with its token; whoever holds it can listen.',
    }),
    expires_at: z.string().meta({
      format: 'date-time',
      description: `When the link stops working: ${minutes} minutes after it was made.`,
    }),
  })
  .meta({ id: 'RecordingLink', description: 'A link that plays a recording for a while.' });

export type RecordingLink = z.infer<typeof RecordingLink>;

export const getRecording = defineOperation({
  id: 'getRecording',
  method: 'GET',
  path: '/v1/recordings/{order_id}.mp3',
  tag: 'Recordings',
  summary: 'Download the recording of an order',
  description: `The audio of the last recorded call of an order, as a stereo MP3 with the agent on
one side and the person on the other.

Needs the API key of the order's workspace, or the token \`t\` of a playable link. Without either
the answer is 404, so that a stranger learns nothing. One range of octets may be asked for; with
several, the whole file is sent.`,
  auth: 'apiKeyOrLink',
  input: z.object({ order_id }),
  requestHeaders: z.object({
    Range: z
      .string()
      .optional()
      .meta({
        description: 'One range of octets.',
        examples: ['bytes=0-65535'],
      }),
    'If-Range': z
      .string()
      .optional()
      .meta({
        description: 'An ETag: the range counts only while the recording is this one.',
        examples: ['"1f-8q2w-2k9"'],
      }),
    'If-None-Match': z
      .string()
      .optional()
      .meta({
        description: 'ETags that the client holds; a match answers 304.',
        examples: ['"1f-8q2w-2k9"'],
      }),
  }),
  success: {
    status: 200,
    description: 'The whole recording.',
    // What the procedure hands to the edge; on the wire it is bytes.
    schema: z.unknown(),
    example: undefined,
    headers: z.object({ ETag, 'Accept-Ranges': AcceptRanges, 'Content-Length': ContentLength }),
    bytes: {
      contentType: 'audio/mpeg',
      description: 'The MP3, or the asked part of it.',
      otherAnswers: {
        206: {
          description: 'The part that was asked for.',
          hasContent: true,
          headers: z.object({
            ETag,
            'Accept-Ranges': AcceptRanges,
            'Content-Length': ContentLength,
            'Content-Range': ContentRange,
          }),
        },
        304: {
          description: 'The client holds this recording already.',
          hasContent: false,
          headers: z.object({ ETag }),
        },
        416: {
          description: 'The recording is shorter than the range begins.',
          hasContent: false,
          headers: z.object({ 'Content-Range': ContentRange }),
        },
      },
    },
  },
  errors: [
    'not_found',
    'method_not_allowed',
    'recording_deleted',
    'internal_error',
    'recording_unavailable',
  ],
});

export const getRecordingLink = defineOperation({
  id: 'getRecordingLink',
  method: 'GET',
  path: '/v1/recordings/{order_id}/link',
  tag: 'Recordings',
  summary: 'Make a playable link to a recording',
  description: `An address that plays the recording for ${minutes} minutes without an API key, for
instance in an audio element. Make a new one for each listener; links are not counted and cannot be
withdrawn before they end.`,
  auth: 'apiKeyOrNotFound',
  input: z.object({ order_id }),
  success: {
    status: 200,
    description: 'The link.',
    schema: RecordingLink,
    example: {
      success: true,
      url: 'https://example.com/v1/recordings/ord_7Q2M4X9KTB.mp3?t=d3NwXzE.c2lnbmF0dXJl',
      expires_at: '2026-05-04T15:17:31.000Z',
    },
  },
  errors: ['not_found', 'method_not_allowed', 'recording_deleted', 'internal_error', 'unavailable'],
});
