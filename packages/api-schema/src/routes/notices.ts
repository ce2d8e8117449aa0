import * as notices from '../notices.ts'
import { get, post, type Routes } from '../route.ts'

const data = notices.noticesData

export const noticesRoutes = {
  notices: get('me/notices', 'member', 'Notices by mail and push: addresses, browsers and kinds', { data }),
  chooseNotice: post('me/notices/choose', 'member', 'Switch a kind of notices on or off in a channel', {
    body: notices.chooseNoticeBody,
    data,
  }),
  noticeEmail: post('me/notices/email', 'member', 'Send a code to an e-mail address', {
    body: notices.noticeEmailBody,
    data,
  }),
  confirmNoticeEmail: post('me/notices/email/confirm', 'member', 'Confirm the address with its code', {
    body: notices.noticeCodeBody,
    data,
  }),
  removeNoticeEmail: post('me/notices/email/remove', 'member', 'Remove the e-mail addresses', { data }),
  noticePush: post('me/notices/push', 'member', 'Register this browser for pushes (RFC 8030)', {
    body: notices.noticePushBody,
    data,
  }),
  removeNoticePush: post('me/notices/push/remove', 'member', 'Remove a browser', {
    body: notices.noticePushRemoveBody,
    data,
  }),
  testNotice: post('me/notices/test', 'member', 'Send a test to a channel', {
    body: notices.testNoticeBody,
    data,
  }),
  stopNotices: post('notices/stop', 'public', 'Unsubscribe with the token of a mail', {
    body: notices.stopNoticesBody,
    data: notices.stopNoticesData,
  }),
  stopNoticesOneClick: post('notices/one-click', 'public', 'The same for mail programs (RFC 8058)', {
    query: notices.stopNoticesQuery,
    data: notices.stopNoticesData,
  }),
} satisfies Routes
