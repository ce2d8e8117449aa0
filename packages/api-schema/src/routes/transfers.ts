import * as leaving from '../leaving.ts'
import { get, post, type Routes } from '../route.ts'
import * as transfers from '../transfers.ts'

export const transfersRoutes = {
  transfer: post('transfer', 'member', 'Send to another member', {
    movesMoney: true,
    body: transfers.transferBody,
    data: transfers.transfer,
  }),
  transferCheck: post('transfer/check', 'member', 'Preview of a transfer', {
    lane: 'reads',
    body: transfers.transferCheckBody,
    data: transfers.transferCheckData,
  }),
  cancelTransfer: post(
    'transfer/cancel/:transfer_id',
    'member',
    'Cancel a transfer that is held for review',
    {
      movesMoney: true,
      params: transfers.transferParams,
      data: transfers.transfer,
    },
  ),
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
    data: leaving.contactsData,
  }),
  saveContact: post('transfer/contacts', 'member', 'Save an address under a name, signed by the wallet', {
    body: leaving.contactBody,
    data: leaving.contactsData,
  }),
  removeContact: post('transfer/contacts/remove', 'member', 'Remove a saved address, signed by the wallet', {
    body: leaving.removeContactBody,
    data: leaving.contactsData,
  }),
  setSavedOnly: post(
    'transfer/contacts/saved-only',
    'member',
    'Switch "saved addresses only" on or off, signed by the wallet',
    { body: leaving.savedOnlyBody, data: leaving.contactsData },
  ),
} satisfies Routes
