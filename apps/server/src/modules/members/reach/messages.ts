import { type ErrorMessages, message } from '../../../lib/messages.ts'

/** The error for visitors and members whom the operator may not serve. */
export const REACH_MESSAGES = {
  NOT_SERVED: message(
    451,
    'The operator may not offer this to you. What is yours stays yours. The page of this notice explains what you can do',
    '运营方不得向您提供此服务。属于您的资产仍归您所有；相关页面说明您可以怎么做',
    '運営者はこれをあなたに提供できません。あなたの資産はあなたのものです。できることは案内ページをご覧ください',
    '운영자가 이 서비스를 제공할 수 없습니다. 회원님의 자산은 그대로이며, 가능한 일은 안내 페이지에서 확인하세요',
  ),
} as const satisfies ErrorMessages
