import type { Job } from '../../../lib/job.ts'
import type { NoticeDelivery } from './notices.delivery.service.ts'
import type { NoticeSpreads } from './notices.service.ts'

const SEND_INTERVAL_MS = 2_000
const SPREAD_INTERVAL_MS = 5_000
const CLEAR_INTERVAL_MS = 60_000

/** Returns the writing and sending of notices. Any number of processes may run them at the same time. */
export function noticeJobs({
  noticeSpreads,
  noticeDelivery,
}: {
  noticeSpreads: NoticeSpreads
  noticeDelivery: NoticeDelivery
}): Job[] {
  return [
    { name: 'write notices of many members', everyMs: SPREAD_INTERVAL_MS, run: noticeSpreads.writeDue },
    { name: 'send notices', everyMs: SEND_INTERVAL_MS, run: noticeDelivery.sendDue },
    { name: 'delete old notices', everyMs: CLEAR_INTERVAL_MS, run: noticeDelivery.clear },
  ]
}
