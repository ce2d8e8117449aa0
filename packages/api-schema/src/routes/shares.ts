import { get, post, type Routes } from '../route.ts'
import * as shares from '../shares.ts'

const data = shares.sharesData

export const sharesRoutes = {
  shares: get('me/shares', 'member', 'Open links to a proof or a statement', { data }),
  makeShare: post('me/shares', 'member', 'Make a link that reads a proof or a statement for some days', {
    body: shares.makeShareBody,
    data: shares.makeShareData,
  }),
  revokeShare: post('me/shares/revoke', 'member', 'End a link', { body: shares.revokeShareBody, data }),
  shared: post('shared', 'public', 'What a link shows', {
    lane: 'reads',
    body: shares.sharedBody,
    data: shares.sharedData,
  }),
} satisfies Routes
