// The people of the sandbox phone network, by number; adapters/carriers/sandbox plays them.

export const sandboxPeople = {
  books: '+12125550101',
  qualifies: '+12125550102',
  not_interested: '+12125550103',
  stop_calling: '+12125550104',
  objects_to_recording: '+12125550105',
  talks_over: '+12125550106',
  voicemail: '+12125550107',
  no_answer: '+12125550108',
  busy: '+12125550109',
  hangs_up: '+12125550110',
} as const;
