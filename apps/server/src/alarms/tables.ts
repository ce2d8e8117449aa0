import { CHANGED, type Tables, TEMPORARY } from '../db/tables.ts'

export const ALARMS_TABLES = {
  alarm_messages: { place: 'coordinator', rights: CHANGED },
  alarms: { place: 'coordinator', rights: TEMPORARY },
} as const satisfies Tables
