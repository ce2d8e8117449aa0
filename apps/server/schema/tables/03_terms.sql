-- The English texts of terms and risks that were in force, whole: what members sign names one by its version and the hash of these
-- bytes (decision 43). Each is served at /terms/<version>.txt for ever.
create table terms_texts (
  version text primary key check (version ~ '^\d{4}-\d{2}-\d{2}(-[0-9a-f]{8})?$'),
  sha256 bytea not null check (sha256 = sha256(convert_to(text, 'UTF8'))),
  text text not null check (length(text) between 1 and 65536),
  created_at timestamptz not null
);
insert into terms_texts (version, sha256, created_at, text) values
  ('2026-11-23', '\x16eaddc709b8f10066a1e5040797218a68362642b49aea354b268fea73a19444', '2026-11-23T00:00:00Z', $text$RIFund Portfolio: terms and risks, version 2026-11-23

This English text decides. A name in braces stands for a figure of the plan in force or of the chain, which the app shows.

# Terms

What you and the operator agree on, in plain words. The operator’s full legal terms for your country come on top.

## What this is [terms.what]

Members sign in with their own wallet, buy packages and are paid rewards by published rules. It is not a bank, not an investment advice and not insured. You must be of age and allowed to take part where you live.

## Versions [terms.version]

The English text of the version that you accepted decides; other languages are translations. Your signature at sign-in names the version. A new version is shown to you once, with what changed, and asks for your signature again.

## Packages [terms.packages]

A package gives a level and the right to rewards of its rates as ceilings, as far as the pools cover them. Static rewards on it end when they have paid {staticCap} of its price. It cannot be returned or sold. Figures may be changed by the operator for days that have not begun, approved by two persons and with a public record; a paid order keeps the prices it was made with.

## Payments [terms.payments]

You pay from your own wallet, in USDT and AMC, only by the transaction this app prepares. A quote holds for {minutes} minutes; the contract refuses a later payment. A payment that fits no open order is booked separately and returned by the operator, less nothing but the network fee.

## Payouts [terms.payouts]

Withdrawals cost {fee}, at least {minimumFee} USDT worth, and are limited per day by level ({lowLimit} to {highLimit} USDT worth). They may be reviewed. A rejected or canceled withdrawal returns the whole amount. If the holdings were ever below what members are owed, payouts stop until it is cleared up.

## Inviting others [terms.conduct]

Invite only people you know, show them the risks first, and promise nothing that these pages do not say. Placement in the tree never changes afterwards. Accounts used for fraud may be stopped and their withdrawals reviewed.

## Your data [terms.data]

Stored are your wallet address, your place in the team, your orders, rewards and withdrawals, of each sign-in the time and the name of browser and system, and the versions of these terms that you accepted with your signature. An e-mail address is stored, encrypted, only if you add one for notices. No name, no tracking. Members above you in the tree see your address, level and investment. What happens on the chain is public.

# Risks

Please read this before you pay anything.

## You can lose all of it [risk.loss]

The price of a package is spent. It is not a deposit, it is not kept for you and it is not paid back. Pay only what you can do without, and never borrowed money.

## No return is promised [risk.noPromise]

All rates are upper limits. Up to {staticRate} a day means: not more than that, and possibly nothing. What was really paid in the last 30 days stands beside the rates, and tells nothing certain about the next 30.

## Rewards depend on pools [risk.pools]

Commissions depend on what others buy. When fewer packages are sold, less is paid; when none is sold, nothing is. Inviting people does not make this safer for you or for them. Static rewards stop when the operator earns nothing elsewhere.

## Tokens change in price [risk.tokens]

AMC and RIF have no assured price and may not be saleable. The AMC part of a reward is locked at first and released over {parts} days, in which its price can fall. USDT depends on its issuer.

## Transactions cannot be undone [risk.chain]

What is sent on {chain} stays sent, also to a wrong address. Contracts, wallets and chains can have faults. If you lose your recovery phrase, nobody can bring your wallet back.

## Programs like this are often frauds [risk.scams]

So check, do not trust: which money may go where is fixed in the books, every reward can be recomputed, what was due and what was paid is public, and the contract pays out only under a daily limit. In some countries taking part is not allowed or is taxed; find out before you do.
$text$),
  ('2026-11-29', '\x8758d9b65cbeea524b7de860b9301fc3856ec9be4a636251ca4c2d56d1420654', '2026-11-29T00:00:00Z', $text$RIFund Portfolio: terms and risks, version 2026-11-29

This English text decides. A name in braces stands for a figure of the plan in force or of the chain, which the app shows.

# Terms

What you and the operator agree on, in plain words. The operator’s full legal terms for your country come on top.

## What this is [terms.what]

Members sign in with their own wallet, buy packages and are paid rewards by published rules. It is not a bank, not an investment advice and not insured. You must be of age and allowed to take part where you live.

## Versions [terms.version]

The English text of the version that you accepted decides; other languages are translations. Your signature at sign-in names the version. A new version is shown to you once, with what changed, and asks for your signature again.

## Packages [terms.packages]

A package gives a level and the right to rewards of its rates as ceilings, as far as the pools cover them. Static rewards on it end when they have paid {staticCap} of its price. It cannot be returned or sold. Figures may be changed by the operator for days that have not begun, approved by two persons and with a public record; a paid order keeps the prices it was made with.

## Payments [terms.payments]

You pay from your own wallet, in USDT and AMC, only by the transaction this app prepares. A quote holds for {minutes} minutes; the contract refuses a later payment. A payment that fits no open order is booked separately and returned to your balance by the operator. Withdrawing it to your own wallet costs nothing but the network fee, unless the mistake was yours: then it costs the usual fee.

## Payouts [terms.payouts]

Withdrawals cost {fee}, at least {minimumFee} USDT worth, free refunds (see Payments) excepted, and are limited per day by level ({lowLimit} to {highLimit} USDT worth). They may be reviewed. A rejected or canceled withdrawal returns the whole amount. If the holdings were ever below what members are owed, payouts stop until it is cleared up.

## Inviting others [terms.conduct]

Invite only people you know, show them the risks first, and promise nothing that these pages do not say. Placement in the tree never changes afterwards. Accounts used for fraud may be stopped and their withdrawals reviewed.

## Your data [terms.data]

Stored are your wallet address, your place in the team, your orders, rewards and withdrawals, of each sign-in the time and the name of browser and system, and the versions of these terms that you accepted with your signature. An e-mail address is stored, encrypted, only if you add one for notices. No name, no tracking. Members above you in the tree see your address, level and investment. What happens on the chain is public.

# Risks

Please read this before you pay anything.

## You can lose all of it [risk.loss]

The price of a package is spent. It is not a deposit, it is not kept for you and it is not paid back. Pay only what you can do without, and never borrowed money.

## No return is promised [risk.noPromise]

All rates are upper limits. Up to {staticRate} a day means: not more than that, and possibly nothing. What was really paid in the last 30 days stands beside the rates, and tells nothing certain about the next 30.

## Rewards depend on pools [risk.pools]

Commissions depend on what others buy. When fewer packages are sold, less is paid; when none is sold, nothing is. Inviting people does not make this safer for you or for them. Static rewards stop when the operator earns nothing elsewhere.

## Tokens change in price [risk.tokens]

AMC and RIF have no assured price and may not be saleable. The AMC part of a reward is locked at first and released over {parts} days, in which its price can fall. USDT depends on its issuer.

## Transactions cannot be undone [risk.chain]

What is sent on {chain} stays sent, also to a wrong address. Contracts, wallets and chains can have faults. If you lose your recovery phrase, nobody can bring your wallet back.

## Programs like this are often frauds [risk.scams]

So check, do not trust: which money may go where is fixed in the books, every reward can be recomputed, what was due and what was paid is public, and the contract pays out only under a daily limit. In some countries taking part is not allowed or is taxed; find out before you do.
$text$);
