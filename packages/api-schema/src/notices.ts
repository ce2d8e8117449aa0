import { z } from 'zod'
import { id, time } from './primitives.ts'

export const NOTICE_CHANNELS = ['push', 'mail'] as const

/**
 * The kinds of notices outside the app, with the channels that are on by default. A locked kind concerns the
 * safety of the account: it is sent to every configured channel and cannot be switched off.
 */
export const NOTICE_KINDS = {
  sign_in: { locked: true, push: true, mail: true },
  changes: { locked: true, push: true, mail: true },
  withdrawal: { locked: false, push: true, mail: true },
  redemption: { locked: false, push: true, mail: true },
  rewards: { locked: false, push: false, mail: false },
  valuation: { locked: false, push: false, mail: false },
  plan: { locked: false, push: false, mail: false },
  announcement: { locked: false, push: false, mail: false },
} as const satisfies Record<string, { locked: boolean } & Record<(typeof NOTICE_CHANNELS)[number], boolean>>

export const noticeChannel = z.enum(NOTICE_CHANNELS)
export const noticeKind = z.enum(Object.keys(NOTICE_KINDS) as [keyof typeof NOTICE_KINDS])

/** An address as RFC 5321 limits it; a display name or a comment is not part of it. */
export const emailAddress = z.email().trim().max(254)
const base64url = (bytes: number) =>
  z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}={0,2}$`))

export const noticesData = z.object({
  /** `available` is false until the operator has configured the channel. */
  mail: z.object({
    available: z.boolean(),
    confirmed: z.object({ address: z.string(), confirmed_at: time }).nullable(),
    /** An address that waits for its confirmation code. */
    pending: z.object({ address: z.string(), expires_at: time }).nullable(),
  }),
  push: z.object({
    available: z.boolean(),
    /** The key of the server (RFC 8292), which a browser needs to register. */
    public_key: z.string().nullable(),
    browsers: z.array(
      z.object({
        push_id: id,
        device: z.string().nullable(),
        created_at: time,
        /** The time when its push service last accepted a message. */
        taken_at: time.nullable(),
        /** True for the browser of this session. */
        current: z.boolean(),
      }),
    ),
  }),
  kinds: z.array(z.object({ kind: noticeKind, locked: z.boolean(), push: z.boolean(), mail: z.boolean() })),
})

export const chooseNoticeBody = z.object({ kind: noticeKind, channel: noticeChannel, on: z.boolean() })
export const noticeEmailBody = z.object({ email: emailAddress })
export const CODE_DIGITS = 6
export const noticeCodeBody = z.object({ code: z.string().regex(/^[0-9]{6}$/) })
export const noticePushBody = z.object({
  endpoint: z
    .url()
    .max(1000)
    .regex(/^[!-~]+$/),
  keys: z.object({ p256dh: base64url(65), auth: base64url(16) }),
})
export const noticePushRemoveBody = z.object({ push_id: id })
export const testNoticeBody = z.object({ channel: noticeChannel })

const token = z
  .string()
  .min(20)
  .max(400)
  .regex(/^[A-Za-z0-9_-]+$/)
/** The token of an unsubscribe link. */
export const stopNoticesBody = z.object({ token })
export const stopNoticesQuery = z.object({ token })
export const stopNoticesData = z.object({
  /** The notices that are no longer sent by mail: one kind, or all. */
  stopped: z.union([noticeKind, z.literal('all')]),
})

export type NoticeKind = z.infer<typeof noticeKind>
export type NoticeChannel = z.infer<typeof noticeChannel>
export type NoticeSettings = z.infer<typeof noticesData>
