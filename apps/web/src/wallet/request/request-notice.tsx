import { formatDay, useTranslation } from '../../lib/index.ts'
import { Notice } from '../../ui/index.ts'
import { isExpired, isRequest, type PaymentRequest, plainNote } from './payment-request.ts'

/**
 * States that a link or a code filled in the form, with its note in quotation marks; nothing for an address
 * alone.
 */
export function RequestNotice({ request }: { request: PaymentRequest }) {
  const { t } = useTranslation()
  if (!isRequest(request)) return null
  const { note, until } = request
  if (isExpired(request, Date.now()))
    return (
      <Notice tone="warn" title={t('request.expired')}>
        {t('request.expiredText', { day: formatDay(until ?? '') })}
      </Notice>
    )
  const plain = plainNote(note ?? '')
  return (
    <Notice title={t('request.check')}>
      <p>{t('request.checkText')}</p>
      {plain !== '' && <p className="mt-2 wrap-anywhere">{t('request.note', { note: plain })}</p>}
    </Notice>
  )
}
