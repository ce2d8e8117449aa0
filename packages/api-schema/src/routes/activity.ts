import * as activity from '../activity.ts'
import * as search from '../member-search.ts'
import { get, post, type Routes } from '../route.ts'

export const activityRoutes = {
  activity: get('me/activity', 'member', 'Transactions of the member, newest first', {
    query: activity.activityQuery,
    data: activity.activityData,
  }),
  activityDetail: get('me/activity/:activity_id', 'member', 'A transaction with its ledger lines', {
    params: activity.activityParams,
    data: activity.activityDetail,
  }),
  sentTo: get('me/sent', 'member', 'What the member sent to an address, in every way', {
    query: activity.sentToQuery,
    data: activity.sentToData,
  }),
  packages: get('me/packages', 'member', 'Packages of the member: cost, static rewards, ceiling', {
    data: activity.packagesData,
  }),
  notifications: get('me/notifications', 'member', 'Number of new activities since the last visit', {
    data: activity.notificationsData,
  }),
  seeNotifications: post('me/notifications/seen', 'member', 'Mark activities as read', {
    body: activity.seenBody,
    data: activity.notificationsData,
  }),
  memberSearch: get('me/search', 'member', 'The own activity, orders and addresses that a text finds', {
    query: search.memberSearchQuery,
    data: search.memberSearchData,
  }),
  volumes: get('me/volumes', 'member', 'Team investment by month and side', {
    query: activity.volumesQuery,
    data: activity.volumesData,
  }),
} satisfies Routes
