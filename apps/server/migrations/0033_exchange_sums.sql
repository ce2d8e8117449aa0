-- What all members hold or put in together may be more than any single amount can be.
alter table dividend_days alter column div_micros type numeric(40);
alter table vc_launches alter column subscribed_micros type numeric(40);
