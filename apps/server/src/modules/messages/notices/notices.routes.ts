import { API_PREFIX, routes } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import { deviceOf } from '../../../lib/device.ts'
import { type Call, register } from '../../../plugins/route.ts'
import type { NoticeContacts } from './notices.contacts.service.ts'

type Caller = Pick<Call<'notices'>, 'session' | 'locale' | 'userAgent'>

/** `me/notices` and its changes, `notices/stop` and `notices/one-click`. */
export async function noticeRoutes(
  app: FastifyInstance,
  { noticeContacts }: { noticeContacts: NoticeContacts },
): Promise<void> {
  const callerOf = ({ session, locale, userAgent }: Caller) => ({
    memberId: session.memberId,
    sessionHash: session.tokenHash,
    locale,
    device: deviceOf(userAgent ?? ''),
  })

  register(app, 'notices', (call) => noticeContacts.settings(callerOf(call)))
  register(app, 'chooseNotice', (call) => noticeContacts.choose(callerOf(call), call.body))
  register(app, 'noticeEmail', (call) => noticeContacts.addEmail(callerOf(call), call.body.email))
  register(app, 'confirmNoticeEmail', (call) => noticeContacts.confirmEmail(callerOf(call), call.body.code))
  register(app, 'removeNoticeEmail', (call) => noticeContacts.removeEmail(callerOf(call)))
  register(app, 'noticePush', (call) => noticeContacts.addPush(callerOf(call), call.body))
  register(app, 'removeNoticePush', (call) =>
    noticeContacts.removePush(callerOf(call), BigInt(call.body.push_id)),
  )
  register(app, 'testNotice', (call) => noticeContacts.test(callerOf(call), call.body.channel))
  register(app, 'stopNotices', async ({ body }) => ({ stopped: await noticeContacts.stop(body.token) }))

  await app.register(async (forms) => {
    // Mail programs send `List-Unsubscribe=One-Click` in one of these types (RFC 8058); the token is in the
    // URL.
    const types = ['application/x-www-form-urlencoded', 'multipart/form-data']
    forms.addContentTypeParser(types, { parseAs: 'string', bodyLimit: 1_000 }, async () => undefined)
    register(forms, 'stopNoticesOneClick', async ({ query }) => ({
      stopped: await noticeContacts.stop(query.token),
    }))
  })

  // A mail program without RFC 8058 opens the URL: the page asks for confirmation first, because scanners
  // open links too.
  const path = `${API_PREFIX}${routes.stopNoticesOneClick.path}`
  app.get<{ Querystring: { token?: unknown } }>(path, { schema: { hide: true } }, async ({ query }, reply) =>
    reply.redirect(`/pages/my/stopNotices?token=${encodeURIComponent(String(query.token))}`, 303),
  )
}
