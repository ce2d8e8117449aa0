import * as activity from '../activity.ts'
import { get, post, type Routes } from '../route.ts'

export const activityRoutes = {
  activity: get({
    path: 'me/activity',
    access: 'member',
    summary: 'What happened in the own books, newest first',
    query: activity.activityQuery,
    data: activity.activityData,
  }),
  notifications: get({
    path: 'me/notifications',
    access: 'member',
    summary: 'How much happened since the last visit',
    data: activity.notificationsData,
  }),
  seeNotifications: post({
    path: 'me/notifications/seen',
    access: 'member',
    summary: 'Note up to where the member has read',
    body: activity.seenBody,
    data: activity.notificationsData,
  }),
  balanceDays: get({
    path: 'me/balances',
    access: 'member',
    summary: 'Balances at the end of each of the last days',
    query: activity.balanceDaysQuery,
    data: activity.balanceDaysData,
  }),
  volumes: get({
    path: 'me/volumes',
    access: 'member',
    summary: 'Team investment by month and side',
    query: activity.volumesQuery,
    data: activity.volumesData,
  }),
} satisfies Routes
