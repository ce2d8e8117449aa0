import type { Locale } from '@rif/api-schema'
import { openMailServer } from '../../../lib/mail-server.ts'
import { MAIL_WORDS, noticeText } from './texts.ts'
import { type Facts, TOPICS, type Topic } from './topics.ts'

/** Settings of mails: the operator's mail server, and the sender. */
export interface MailSettings {
  readonly smtpUrl: string
  readonly from: string
}

export interface NoticeMail {
  readonly to: string
  /** The same for each attempt, so that a receiver recognises a duplicate mail. */
  readonly key: string
  readonly topic: Topic
  readonly facts: Facts
  readonly locale: Locale
  /** The token to unsubscribe; a mail with a code has none. */
  readonly stop?: { readonly token: string; readonly isAll: boolean } | undefined
}

export type Mailer = ReturnType<typeof createMailer>

/**
 * Creates the sender of notices by mail: plain text, with links that open pages of the app and contain no
 * session token.
 */
export function createMailer({ smtpUrl, from }: MailSettings, publicUrl: string) {
  const link = (path: string) => new URL(path, publicUrl).href

  return {
    /** Sends a mail. Throws if the server does not accept it; see `isRefusedForEver`. */
    async send({ to, key, topic, facts, locale, stop }: NoticeMail): Promise<void> {
      const { title, body } = noticeText(locale, topic, facts)
      const words = MAIL_WORDS[locale]
      const stopPage = stop && link(`/pages/my/stopNotices?token=${stop.token}`)
      const lines = [
        body,
        '',
        words.open,
        link(TOPICS[topic].path(facts)),
        '',
        words.promise,
        ...(stopPage === undefined ? [] : ['', stop?.isAll ? words.stopAll : words.stop, stopPage]),
      ]
      const server = openMailServer(smtpUrl)
      try {
        await server.sendMail({
          from,
          // An object is used as a single address and never parsed as a list.
          to: { name: '', address: to },
          subject: title,
          text: lines.join('\n'),
          messageId: `<notice-${key}@${new URL(publicUrl).hostname}>`,
          headers: {
            'Auto-Submitted': 'auto-generated',
            'Content-Language': locale,
            ...(stop && {
              'List-Unsubscribe': `<${link(`/api/v1/notices/one-click?token=${stop.token}`)}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        })
      } finally {
        server.close()
      }
    },
  }
}

/**
 * Reports whether a mail server refused the receiver itself (RFC 5321, 5xx after RCPT), so that a retry is
 * useless.
 */
export function isRefusedForEver(error: unknown): boolean {
  const { command, responseCode } = error as { command?: string; responseCode?: number }
  return command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500
}

/**
 * Returns the reason for a failed mail or push in a word, such as EAUTH, because the message of a library may
 * contain the address.
 */
export const failureOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown'
