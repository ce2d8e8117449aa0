import { type ErrorMessages, message } from '../../../lib/messages.ts'

/** The errors of statements. */
export const STATEMENTS_MESSAGES = {
  STATEMENT_TOO_LONG: message(
    409,
    'This is too long for a PDF. Choose CSV or a shorter range',
    '内容过长，无法生成 PDF。请选择 CSV 或缩短时间范围',
    'PDF には長すぎます。CSV を選ぶか、期間を短くしてください',
    'PDF로 만들기에는 너무 깁니다. CSV를 선택하거나 기간을 줄이세요',
  ),
  STATEMENTS_OPEN: message(
    409,
    'Other files are still being created. Wait for one of them or cancel it',
    '其他文件仍在生成中。请等待其中一个完成或取消',
    'ほかのファイルを作成中です。完了を待つか、取り消してください',
    '다른 파일을 만드는 중입니다. 완료를 기다리거나 취소하세요',
  ),
} as const satisfies ErrorMessages
