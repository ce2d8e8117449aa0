import type { PlacementSide } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { ApiError, apiQuery, type InviteNode, useTranslation } from '../../../lib/index.ts'
import { Address, Button, Card, Fact, Facts, Segmented, Skeleton, TextField } from '../../../ui/index.ts'

export interface InviteCardProps {
  invite: InviteNode | null
  /** The code that the form begins with, empty for none: the demonstration offers one. */
  offered: string
  onChange: (invite: InviteNode | null) => void
}

/** The invitation that a first sign-in needs: whose it is and on which side one will stand, or a form for the code. */
export default function InviteCard({ invite, offered, onChange }: InviteCardProps) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="text-16 font-semibold">{t('login.invitation')}</h2>
      {invite === null ? (
        <InviteForm offered={offered} onSubmit={onChange} />
      ) : (
        <Invitation invite={invite} onRemove={() => onChange(null)} />
      )}
    </Card>
  )
}

function Invitation({ invite, onRemove }: { invite: InviteNode; onRemove: () => void }) {
  const { t } = useTranslation()
  const { data, error } = useQuery(
    apiQuery('invitation', { query: { code: invite.code, side: invite.side } }),
  )
  return (
    <>
      <Facts>
        <Fact label={t('login.code')}>{invite.code}</Fact>
        <Fact label={t('login.invitedBy')}>
          {data !== undefined ? (
            <Address value={data.sponsor_address} />
          ) : error !== null ? (
            error instanceof ApiError && error.error === 'INVITATION_INVALID' ? (
              t('login.codeUnknown')
            ) : (
              error.message
            )
          ) : (
            <Skeleton className="h-5 w-40" />
          )}
        </Fact>
        <Fact label={t('login.side')}>{t(`side.${data?.side ?? invite.side}`)}</Fact>
      </Facts>
      <Button variant="quiet" onClick={onRemove}>
        {t('login.otherCode')}
      </Button>
    </>
  )
}

const SIDES: readonly PlacementSide[] = ['auto', 'left', 'right']

function InviteForm({ offered, onSubmit }: { offered: string; onSubmit: (invite: InviteNode) => void }) {
  const { t } = useTranslation()
  const form = useForm<InviteNode>({ defaultValues: { code: offered, side: 'auto' } })
  const error = form.formState.errors.code?.message
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={form.handleSubmit(({ code, side }) => onSubmit({ code: code.trim(), side }))}
    >
      <TextField
        label={t('login.code')}
        hint={t('login.codeHint')}
        error={error}
        maxLength={32}
        {...form.register('code', { validate: (code) => code.trim() !== '' || t('login.codeMissing') })}
      />
      <Segmented
        label={t('login.side')}
        options={SIDES.map((side) => ({ value: side, label: t(`side.${side}`) }))}
        value={form.watch('side')}
        onChange={(side) => form.setValue('side', side)}
      />
      <Button variant="secondary" type="submit">
        {t('login.useCode')}
      </Button>
    </form>
  )
}
