import * as person from '../person.ts'
import { get, post, type Routes } from '../route.ts'

export const personRoutes = {
  personData: get('me/data', 'member', 'Everything that is stored about the member, table by table', {
    query: person.personDataQuery,
    data: person.personDataData,
  }),
  erasure: get('me/erasure', 'member', 'The request to erase what the books do not need, and what is open', {
    data: person.erasureData,
  }),
  requestErasure: post('me/erasure', 'member', 'Request the erasure; the wallet signs it', {
    body: person.erasureBody,
    data: person.erasureData,
  }),
  cancelErasure: post('me/erasure/cancel', 'member', 'Cancel the request while it waits', {
    data: person.erasureData,
  }),
} satisfies Routes
