import { get, post, type Routes } from '../route.ts'
import * as transfers from '../transfers.ts'

export const transfersRoutes = {
  transfer: post('transfer', 'member', 'Send to another member', {
    movesMoney: true,
    body: transfers.transferBody,
    data: transfers.transfer,
  }),
  transfers: get('transfer', 'member', 'Transfers in and out, newest first', {
    query: transfers.transferListQuery,
    data: transfers.transferListData,
  }),
  receiver: get(
    'transfer/receiver',
    'member',
    'Whose address it is, as far as the member may know, and what to beware of',
    { query: transfers.receiverQuery, data: transfers.receiver },
  ),
  contacts: get('transfer/contacts', 'member', "The member's own address book", {
    data: transfers.contactsData,
  }),
  saveContact: post('transfer/contacts', 'member', 'Give an address a name', {
    body: transfers.contactBody,
    data: transfers.contactsData,
  }),
  removeContact: post('transfer/contacts/remove', 'member', 'Remove the name of an address', {
    body: transfers.removeContactBody,
    data: transfers.contactsData,
  }),
} satisfies Routes
