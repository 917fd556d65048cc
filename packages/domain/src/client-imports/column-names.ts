/**
 * Column names in client lists, in lower-case letters and digits only: those of our template and of the exports and import sheets of
 * TaxDome, BrightManager, Senta, Karbon, Capium, IRIS, TaxCalc, Xero HQ, FreeAgent, Nomi and QuickBooks Online Accountant. Most of these
 * products don't publish a fixed layout, and practices add their own columns.
 */
import type { ImportTarget } from './import-columns.ts';

const splitWords = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

export const COLUMN_NAMES: Readonly<Record<ImportTarget, readonly string[]>> = {
  name: splitWords(`client clientname companyname businessname fullname displayname organisationname organizationname accountname entityname
    customername clientfullname nameofclient clientbusinessname legalname registeredname clientcompanyname companyclientname`),
  kind: splitWords(`type clienttype entitytype businesstype legalform businessstructure companytype organisationtype organizationtype accounttype
    contacttype legalstructure legalstatus legalentity legalentitytype entity structure companystructure businessentity clientcategory`),
  taxes: splitWords('tax'),
  services: splitWords('services taxservices servicesprovided activeservices serviceslist'),
  vrn: splitWords(`vat vatnumber vatno vatregistrationnumber vatreg vatregno vatregnumber vatregistrationno salestaxregistrationnumber
    vatregistration vatid companyvatnumber gbvatnumber ukvatnumber vatref vatreference`),
  utr: splitWords(`uniquetaxpayerreference utrnumber utrno taxreference taxreferencenumber uniquetaxreference uniquetaxpayerreferenceutr
    taxpayerreference clientutr hmrcutr utrreference trustutr`),
  company_utr: splitWords(`companyutr companyutrnumber ctutr ctutrnumber corporationtaxreference corporationtaxutr corporationtaxutrnumber
    corporationtaxref ctreference ctref utrcompany utrct partnershiputr partnershiputrnumber companytaxreference businessutr`),
  personal_utr: splitWords(`personalutr personalutrnumber sautr sautrnumber selfassessmentutr selfassessmentutrnumber maincontactutr
    maincontactpersonalutr maincontactpersonalutrnumber individualutr sareference saref selfassessmentreference personaltaxreference
    soletraderutr utrsa utrpersonal primarycontactutr`),
  nino: splitWords(`ninumber nationalinsurancenumber nationalinsurance ni nin nationalinsuranceno ninonumber nino maincontactninumber
    maincontactnationalinsurancenumber personalninumber personalnationalinsurancenumber primarycontactninumber`),
  company_number: splitWords(`companyno companynumber crn companyregistrationnumber registrationnumber companieshousenumber companyregno
    companyregistrationno registeredcompanynumber companyregistration companyreg registeredno registerednumber companieshouseno
    companieshouseregistrationnumber llpnumber llpregistrationnumber companyregnumber registrationno regnumber companyregisteredno`),
  paye_reference: splitWords(`paye payeref employerpayereference employerpayeref employersreference employerreference payeschemereference
    payenumber payeno payeschemeref employersref employerref payeemployerreference hmrcpayereference payeschemenumber
    employerspayereference employerspayeref employerpayereferencenumber payereferencenumber`),
  accounts_office_reference: splitWords(`accountsofficeref aoreference aoref accountsoffice payeaccountsofficereference accountsofficerefno
    payeaccountsofficeref payeaoreference aoreferencenumber accountsofficereferencenumber accountsofficenumber accountsofficeno
    payeaccountsofficenumber`),
  postcode: splitWords(`postalcode zip zipcode addresspostcode registeredpostcode registeredofficepostcode registeredaddresspostcode
    companypostcode tradingpostcode tradingaddresspostcode addresspostalcode addresszip maincontactpostcode businesspostcode
    billingpostcode billingzip billingzipcode correspondencepostcode homepostcode clientpostcode postalzipcode zippostalcode
    physicalpostcode postaladdresspostcode primaryaddresspostcode mailingpostcode`),
  vat_group: splitWords('vatgrouprole vatgroupstatus vatgroupmembership vatgroupmember roleinvatgroup groupvatrole'),
  is_vat_representative: splitWords(`grouprepresentative vatgrouprepresentative representativemember grouprepresentativemember
    vatrepresentativemember vatgrouprepresentativemember isrepresentativemember isvatgrouprepresentative`),
  vat_group_number: splitWords(
    'groupvatnumber vatgroupvatnumber vatgroupno vatgroupvrn groupvrn groupvatregistrationnumber vatgroupregistrationnumber',
  ),
  vat_registered_on:
    splitWords(`vatregistrationdate vatregdate dateofvatregistration effectivedateofregistration vatregistered vatregisteredfrom
    vatregisteredsince vateffectivedate vateffectivedateofregistration effectivedateofvatregistration vatregistrationeffectivedate
    vatstartdate`),
  year_end: splitWords(`accountingyearend accountsyearend yearendon accountingreferencedate financialyearend yearenddate accountingyearendon
    accountingperiodend companyyearend accountsperiodend accountingperiodenddate accountsyearenddate fiscalyearend accountsreferencedate
    ard financialyearenddate businessyearend`),
  email: splitWords(`emailaddress mail contactemail primaryemail clientemail maincontactemail maincontactemailaddress primarycontactemail
    primaryemailaddress contactemailaddress companyemail businessemail accountemail email1 workemail personalemail primarycontactemailaddress
    owneremail owneremailaddress`),
  phone: splitWords(`telephone mobile phonenumber contactnumber tel maincontacttelephone maincontactphone maincontactmobile mobilenumber
    mobilephone telephonenumber phone1 workphone businessphone primaryphone companytelephone officephone homephone mainphone
    primarycontactphone primarycontactmobile landline contactphone telno mobileno`),
  client_code: splitWords('code clientref clientreference clientid clientno clientnumber accountcode internalreference clientcode'),
  taxable_turnover:
    splitWords(`vattaxableturnover taxablesales vattaxablesales rollingturnover rollingtaxableturnover rolling12monthturnover
    12monthturnover 12monthtaxableturnover taxableturnoverlast12months taxableturnover12months`),
  turnover_to: splitWords('turnoverperiodend turnoverperiodto turnover12monthsto taxableturnoverto 12monthsto turnovermonthend'),
  first_name: splitWords(`firstname firstnames forename forenames givenname maincontactfirstname primarycontactfirstname contactfirstname
    christianname`),
  status: splitWords(`clientstatus accountstatus clientstate contactstatus customerstatus relationshipstatus engagementstatus recordstatus
    lifecyclestage clientstage active isactive activeclient clientactive activeinactive clientisactive`),
  is_archived: splitWords(`archived isarchived inactive isinactive former formerclient nolongeraclient nlac disengaged`),
  is_prospect: splitWords('prospect isprospect prospective'),
  last_name: splitWords('lastname surname familyname maincontactlastname primarycontactlastname contactlastname maincontactsurname'),
};

/** Columns used as a client's name only if the file has no other name column. */
export const SECOND_CHOICE_NAMES: readonly string[] = splitWords('tradingname tradingas preferredname knownas');

/** Columns of those products that OpenTax doesn't use, so users needn't review them. */
export const IGNORED_NAMES: readonly string[] =
  splitWords(`id accountid contactid clientuuid uuid key subdomain xeroorganisation organisationname
  tags tag groups group clientgroup clientgroups companystatus state
  staff team teammembers teammember assignedto accountmanager clientmanager clientpartner clientowner staffuserresponsible partneruser
  jobmanager title salutation middlename middlenames contact contacts contactname maincontact primarycontact linkedcontacts
  ownerfirstname ownerlastname ownername dateofbirth dob deceased maritalstatus nationality gender language preferredlanguage
  address address1 address2 address3 addressline1 addressline2 addressline3 addressline4 street streetaddress city town towncity county
  country region stateprovince registeredaddress registeredoffice registeredofficeaddress postaladdress tradingaddress businessaddress
  billingaddress previousaddress website web siccode siccodes natureofbusiness turnover
  incorporationdate dateofincorporation companyincorporationdate companystartdate startdate created createdat createdon datecreated
  lastlogin lastactive lastupdated updatedat modified authenticationcode authcode companyauthenticationcode
  companieshouseauthenticationcode chaccountsnextdue accountsnextdue nextaccountsdue accountsdue ctpaymentdue confirmationstatementdate
  confirmationstatementdue vatfrequency vatperiodend vatperiod vatquarter vatquarters vatscheme vatstagger vatreturnfrequency
  vatregistrationstatus salestaxregistrationstatus vatfirstreturnperiodendson flatratescheme payefrequency payfrequency payrollfrequency
  firstpaydate numberofemployees noofemployees employees subscription subscriptionplan plan software bookkeeping notes note
  accountsfee annualfee monthlyfee fee fees portalaccess`);
