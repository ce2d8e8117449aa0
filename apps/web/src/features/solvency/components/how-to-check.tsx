import type { Solvency } from '@rif/api-schema'
import { copyText, formatDay, useSession, useTranslation } from '../../../lib/index.ts'
import { Address, Button, Card, Section } from '../../../ui/index.ts'

const linkClass = 'inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-4'

/**
 * Explains how anybody can check a proof or the whole list without this product: the verifier, its checksum
 * and the commands.
 */
export function HowToCheck({ data }: { data: Solvency }) {
  const { t } = useTranslation()
  const { tokenAddress } = useSession()
  const { verifier, bank, latest } = data
  const { origin } = window.location
  const common = `--rpc https://YOUR-NODE --bank ${bank}`
  const commands = [
    `curl -O ${origin}${verifier.path}`,
    `sha256sum ${verifier.path.slice(1)}`,
    `node ${verifier.path.slice(1)} solvency-proof.json ${common} --address ${tokenAddress || '0xYOUR-WALLET'}`,
    ...(latest?.has_leaves ? [`node ${verifier.path.slice(1)} leaves-${latest.day}.bin ${common}`] : []),
  ]
  return (
    <Section title={t('heldOwed.how.title')}>
      <Card className="flex flex-col gap-3 text-14">
        <p className="text-muted">{t('heldOwed.how.text')}</p>
        <pre className="overflow-x-auto rounded-12 bg-sunken p-3 font-mono text-12 whitespace-pre-wrap wrap-anywhere">
          {commands.join('\n')}
        </pre>
        <Button variant="secondary" icon="copy" onClick={() => void copyText(commands.join('\n'))}>
          {t('heldOwed.how.copy')}
        </Button>
        {verifier.sha256 !== null && (
          <p className="flex flex-col">
            <span className="text-muted">{t('heldOwed.how.checksum')}</span>
            <Address value={verifier.sha256} form="full" className="font-mono text-12" />
          </p>
        )}
        <p className="flex flex-wrap gap-x-6">
          <a className={linkClass} href={verifier.path} download>
            {t('heldOwed.how.verifier')}
          </a>
          <a className={linkClass} href={verifier.checksum_path} download>
            {t('heldOwed.how.checksumFile')}
          </a>
          {latest?.has_leaves && (
            <a className={linkClass} href={`/api/v1/solvency/leaves/${latest.day}`} download>
              {t('heldOwed.how.leaves', { day: formatDay(latest.day) })}
            </a>
          )}
        </p>
      </Card>
    </Section>
  )
}
