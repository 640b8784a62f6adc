// Twilio's error bodies, for the errors that the sandbox gives.

export interface TwilioError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

export const twilioErrors = {
  unauthorized: { status: 401, code: 20_003, message: 'Authenticate' },
  notFound: { status: 404, code: 20_404, message: 'The requested resource was not found' },
  tooManyRequests: { status: 429, code: 20_429, message: 'Too Many Requests' },
  serverError: { status: 500, code: 20_500, message: 'An internal server error has occurred' },
  noInstructions: { status: 400, code: 21_205, message: "'Url' or 'Twiml' is required" },
  noTo: { status: 400, code: 21_201, message: "No 'To' number specified" },
  invalidTo: { status: 400, code: 21_211, message: "Invalid 'To' Phone Number" },
  noFrom: { status: 400, code: 21_213, message: "'From' phone number is required" },
  invalidFrom: { status: 400, code: 21_212, message: "Invalid 'From' Phone Number" },
  callOver: { status: 400, code: 21_220, message: 'Call is not in-progress. Cannot redirect.' },
  noTextTo: { status: 400, code: 21_604, message: "A 'To' phone number is required." },
  noTextFrom: { status: 400, code: 21_603, message: "A 'From' phone number is required." },
  noTextBody: { status: 400, code: 21_602, message: 'Message body is required.' },
  textTooLong: {
    status: 400,
    code: 21_617,
    message: 'The concatenated message body exceeds the 1600 character limit',
  },
  textsStopped: { status: 400, code: 21_610, message: 'Attempt to send to unsubscribed recipient' },
  notForSale: { status: 400, code: 21_422, message: 'PhoneNumber is not available' },
} as const satisfies Record<string, TwilioError>;

export function invalidParameter(name: string): TwilioError {
  return { status: 400, code: 20_001, message: `Invalid parameter: ${name}` };
}

/** How Twilio says why a person's number refuses. */
export const refusalErrors = {
  invalid_number: twilioErrors.invalidTo,
  texts_stopped: twilioErrors.textsStopped,
} as const;

export function errorBody({ status, code, message }: TwilioError) {
  return { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status };
}
