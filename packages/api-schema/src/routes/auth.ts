import * as auth from '../auth.ts'
import { get, post, type Routes } from '../route.ts'

export const authRoutes = {
  nonce: get({
    path: 'nonce',
    access: 'public',
    summary: 'A single-use nonce for signing in',
    query: auth.nonceQuery,
    data: auth.nonceData,
  }),
  auth: post({
    path: 'auth',
    access: 'public',
    summary: 'Sign in with a signed EIP-4361 message',
    body: auth.authBody,
    data: auth.authData,
  }),
  signOut: post({
    path: 'auth/sign-out',
    access: 'session',
    summary: 'Revoke the token',
    data: auth.signOutData,
  }),
  sessions: get({
    path: 'auth/sessions',
    access: 'session',
    summary: 'The own sign-ins that are not over',
    data: auth.sessionsData,
  }),
  endSessions: post({
    path: 'auth/sessions/end',
    access: 'session',
    summary: 'Sign out one of the own sign-ins, or all others',
    body: auth.endSessionsBody,
    data: auth.endSessionsData,
  }),
} satisfies Routes
