import { CHANGED, ERASED, OWN, REPLACED, type Tables, TECHNICAL, TEMPORARY } from '../../db/tables.ts'

export const MESSAGES_TABLES = {
  announcement_dismissals: {
    place: 'coordinator',
    rights: REPLACED,
    personal: { export: OWN, erasure: ERASED },
  },
  announcements: { place: 'coordinator', rights: CHANGED },
  notice_counts: { place: 'coordinator', rights: CHANGED },
  notice_deliveries: { place: 'coordinator', rights: TEMPORARY },
  notices: { place: 'coordinator', rights: TEMPORARY, personal: { export: OWN, erasure: ERASED } },
  // The address itself is encrypted under the operator's key; the page of notices shows it.
  notice_emails: {
    place: 'coordinator',
    rights: TEMPORARY,
    personal: {
      export: { by: 'member_id', without: ['sealed', 'address_hash', 'code_hash'] },
      erasure: ERASED,
    },
  },
  notice_pushes: {
    place: 'coordinator',
    rights: TEMPORARY,
    personal: {
      export: { by: 'member_id', without: ['endpoint_hash', 'p256dh', 'auth', 'session_hash'] },
      erasure: ERASED,
    },
  },
  notice_members: { place: 'coordinator', rights: TEMPORARY, personal: { export: OWN, erasure: ERASED } },
  notice_devices: {
    place: 'coordinator',
    rights: TEMPORARY,
    personal: { export: { by: 'member_id', without: ['device_hash'] }, erasure: ERASED },
  },
  notice_spreads: {
    place: 'coordinator',
    rights: TEMPORARY,
    personal: { leftOut: TECHNICAL, erasure: { keep: 'expires' } },
  },
  webhook_attempts: { place: 'coordinator', rights: REPLACED },
  webhook_deliveries: { place: 'coordinator', rights: TEMPORARY },
  webhook_endpoints: { place: 'coordinator', rights: CHANGED },
  webhook_events: { place: 'coordinator', rights: REPLACED },
} as const satisfies Tables
