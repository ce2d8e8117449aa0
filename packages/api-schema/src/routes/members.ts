import * as members from '../members.ts'
import { get, post, type Routes } from '../route.ts'

export const membersRoutes = {
  invitation: get('invitation', 'public', 'The sponsor behind a code', {
    query: members.invitationQuery,
    data: members.invitationData,
  }),
  me: get('me', 'member', 'The member', { data: members.me }),
  invite: get('me/invite', 'member', 'Invitation code and links', { data: members.inviteData }),
  relation: get('me/relation', 'member', 'The team, in pages', {
    query: members.relationQuery,
    data: members.relationData,
  }),
  tree: get('me/tree', 'member', 'The binary tree, by branch', {
    query: members.treeQuery,
    data: members.treeNode,
  }),
  treeBranches: get(
    'me/tree/branches',
    'member',
    'Several branches of the binary tree, generation by generation',
    { query: members.treeBranchesQuery, data: members.treeBranchesData },
  ),
  labels: get('me/labels', 'member', 'Notes of the member on the team', {
    data: members.labelsData,
  }),
  setLabel: post('me/labels', 'member', 'Save a note on a member of the team', {
    body: members.setLabelBody,
    data: members.memberLabel,
  }),
  names: get('me/names', 'member', 'What the member calls addresses, and the notes about them', {
    data: members.namesData,
  }),
  setNote: post('me/notes', 'member', 'Save or delete a private note about an address', {
    body: members.setNoteBody,
    data: members.setNoteData,
  }),
  deleteLabel: post('me/labels/delete', 'member', 'Delete a note', {
    body: members.deleteLabelBody,
    data: members.deleteLabelData,
  }),
} satisfies Routes
