import * as auth from '../auth.ts'
import { get, post, type Routes } from '../route.ts'

export const authRoutes = {
  nonce: get('nonce', 'public', 'A single-use nonce for signing in', {
    query: auth.nonceQuery,
    data: auth.nonceData,
  }),
  auth: post('auth', 'public', 'Sign in with a signed EIP-4361 message', {
    body: auth.authBody,
    data: auth.authData,
  }),
  signOut: post('auth/sign-out', 'session', 'Revoke the token', { data: auth.signOutData }),
  sessions: get('auth/sessions', 'session', 'Active sign-ins of the caller', {
    data: auth.sessionsData,
  }),
  endSessions: post('auth/sessions/end', 'session', 'End one sign-in of the caller, or all others', {
    body: auth.endSessionsBody,
    data: auth.endSessionsData,
  }),
  terms: get('auth/terms', 'session', 'Versions of terms and risks that the caller accepted', {
    data: auth.termsData,
  }),
  acceptTerms: post('auth/terms', 'session', 'Accept the version in force with a signed EIP-4361 message', {
    body: auth.acceptTermsBody,
    data: auth.termsData,
  }),
} satisfies Routes
