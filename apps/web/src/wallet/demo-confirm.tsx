import { type Hex, hexToString } from 'viem'
import { useTranslation } from '../lib/index.ts'
import { Address, Button, Sheet } from '../ui/index.ts'
import type { DemoRequest } from './demo-wallet.ts'
import { describeCall, describeTypedData, type Line } from './tx-flow/decode.ts'

/** Shows a request to the demo wallet in full, with Confirm and Reject. */
export default function DemoConfirm({ request }: { request: DemoRequest }) {
  const { t } = useTranslation()
  return (
    <Sheet
      open
      dismissible={false}
      onClose={() => request.answer(false)}
      title={t('demo.title')}
      description={t('demo.hint')}
    >
      <div className="flex flex-col gap-4">
        <p className="text-14">
          <span className="text-muted">{t('demo.account')} </span>
          <Address value={request.account} copy={false} />
        </p>
        <Content request={request} />
        <div className="flex gap-3">
          <Button variant="secondary" block onClick={() => request.answer(false)}>
            {t('demo.reject')}
          </Button>
          <Button block onClick={() => request.answer(true)}>
            {t('common.confirm')}
          </Button>
        </div>
      </div>
    </Sheet>
  )
}

function Content({ request }: { request: DemoRequest }) {
  const { t } = useTranslation()
  if (request.method === 'personal_sign') {
    const text = hexToString(request.params[0] as Hex)
    return (
      <pre className="max-h-72 overflow-auto whitespace-pre-wrap wrap-anywhere rounded-12 bg-sunken p-3 text-12">
        {text}
      </pre>
    )
  }
  if (request.method === 'eth_signTypedData_v4') {
    const { name, lines } = describeTypedData(request.params[1] as string)
    return <Lines title={t('demo.sign', { name })} lines={lines} />
  }
  const tx = request.params[0] as { to: string; data: Hex }
  const { name, lines } = describeCall(tx.data)
  return <Lines title={t('demo.send', { name })} lines={[{ label: 'to', value: tx.to }, ...lines]} />
}

function Lines({ title, lines }: { title: string; lines: readonly Line[] }) {
  return (
    <div>
      <p className="mb-2 text-16 font-semibold">{title}</p>
      <dl className="flex max-h-72 flex-col gap-2 overflow-auto rounded-12 bg-sunken p-3 text-12">
        {lines.map((line) => (
          <div key={`${line.label} ${line.value}`}>
            <dt className="text-muted">{line.label}</dt>
            <dd className="break-all">{line.value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
