import * as members from '../members.ts'
import { get, post, type Routes } from '../route.ts'

export const membersRoutes = {
  invitation: get({
    path: 'invitation',
    access: 'public',
    summary: 'The sponsor behind a code',
    query: members.invitationQuery,
    data: members.invitationData,
  }),
  me: get({ path: 'me', access: 'member', summary: 'The member', data: members.me }),
  invite: get({
    path: 'me/invite',
    access: 'member',
    summary: 'Invitation code and links',
    data: members.inviteData,
  }),
  relation: get({
    path: 'me/relation',
    access: 'member',
    summary: 'The team, in pages',
    query: members.relationQuery,
    data: members.relationData,
  }),
  tree: get({
    path: 'me/tree',
    access: 'member',
    summary: 'The binary tree, by branch',
    query: members.treeQuery,
    data: members.treeNode,
  }),
  treeBranches: get({
    path: 'me/tree/branches',
    access: 'member',
    summary: 'Several branches of the binary tree, generation by generation',
    query: members.treeBranchesQuery,
    data: members.treeBranchesData,
  }),
  labels: get({
    path: 'me/labels',
    access: 'member',
    summary: 'What the member has noted about the own team',
    data: members.labelsData,
  }),
  setLabel: post({
    path: 'me/labels',
    access: 'member',
    summary: 'Note something about a member of the own team',
    body: members.setLabelBody,
    data: members.memberLabel,
  }),
  deleteLabel: post({
    path: 'me/labels/delete',
    access: 'member',
    summary: 'Delete a note',
    body: members.deleteLabelBody,
    data: members.deleteLabelData,
  }),
} satisfies Routes
