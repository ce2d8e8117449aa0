import type { ErrorCode } from '@rif/api-schema'
import { COMMON_MESSAGES, type ErrorMessage } from './lib/messages.ts'
import type { AnyCapability } from './modules/capability.ts'
import { CAPABILITIES } from './modules/index.ts'

type ErrorTexts = Readonly<Record<ErrorCode, ErrorMessage>>

/**
 * Status and texts of every error code: the only place where a refusal becomes a response (specification
 * section 8). Each capability declares its own. 401 is reserved for a missing or expired session, because the
 * app then deletes its token and shows the login page; a refused sign-in is therefore a 400.
 */
export const messagesOf = (capabilities: readonly AnyCapability[]): ErrorTexts =>
  Object.assign({}, COMMON_MESSAGES, ...capabilities.map(({ messages }) => messages))

export const MESSAGES = messagesOf(CAPABILITIES)
