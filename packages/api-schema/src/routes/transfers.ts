import { get, post, type Routes } from '../route.ts'
import * as transfers from '../transfers.ts'

export const transfersRoutes = {
  transfer: post({
    path: 'transfer',
    access: 'member',
    movesMoney: true,
    summary: 'Send to another member',
    body: transfers.transferBody,
    data: transfers.transfer,
  }),
  transfers: get({
    path: 'transfer',
    access: 'member',
    summary: 'Transfers in and out, newest first',
    query: transfers.transferListQuery,
    data: transfers.transferListData,
  }),
  receiver: get({
    path: 'transfer/receiver',
    access: 'member',
    summary: 'Whose address it is, as far as the member may know, and what to beware of',
    query: transfers.receiverQuery,
    data: transfers.receiver,
  }),
  contacts: get({
    path: 'transfer/contacts',
    access: 'member',
    summary: "The member's own address book",
    data: transfers.contactsData,
  }),
  saveContact: post({
    path: 'transfer/contacts',
    access: 'member',
    summary: 'Give an address a name',
    body: transfers.contactBody,
    data: transfers.contactsData,
  }),
  removeContact: post({
    path: 'transfer/contacts/remove',
    access: 'member',
    summary: 'Take the name of an address away',
    body: transfers.removeContactBody,
    data: transfers.contactsData,
  }),
} satisfies Routes
