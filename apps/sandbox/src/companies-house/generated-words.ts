/** Words for the names of generated companies. Any likeness to a real company is coincidental. */
const splitList = (text: string): string[] => text.split(',').map((word) => word.trim());

export const PLACES = splitList(
  `Amberfold, Ashwick, Beaconsmere, Birchgate, Blackmoor, Bramblewood, Brightwater, Brockhurst, Calderstone, Cedarfield, Chalkdown, Cloverley,
  Copperhill, Cresswell Bay, Dalewood, Dovecliff, Eaglescar, Elmstead, Fallowfield, Fernbank, Flintlock, Foxglove, Glenhaven, Goldencross, Greyfriar,
  Harbourside, Hawksmere, Hazelbrook, Heatherlea, Highmoor, Ironbridge Row, Ivybank, Juniper Hall, Kestrelmoor, Kingfisher Quay, Larkfield,
  Limehouse Cut, Longmeadow, Maplecroft, Marshgate, Millrace, Mossley Vale, Northgate Yard, Oakhanger, Old Foundry, Otterburn Lane, Peartree,
  Pinecrest, Quarrybank, Ravenscar, Redwharf, Riverside Park, Rookwood, Sandpiper, Saxonbury, Silverdale, Skylark, Southmoor, Stonebeck,
  Swiftcurrent, Tallowgate, Thistledown, Tidewell, Umberleigh, Valebrook, Westering, Whitecliff, Willowmead, Windrush Mill, Yarrow`,
);

export const TRADES = splitList(
  `Accountancy, Architects, Bakery, Bicycles, Brewing, Building Services, Carpentry, Catering, Ceramics, Civil Engineering, Cleaning, Coffee Roasters,
  Consulting, Dental Care, Design Studio, Digital, Electrical, Energy, Engineering, Event Hire, Exports, Fabrication, Farms, Flooring, Foods,
  Freight, Furniture, Garden Centre, Glazing, Haulage, Heating, Holdings, Imports, Interiors, IT Services, Joinery, Kitchens, Landscapes, Lettings,
  Lighting, Logistics, Machine Tools, Marine, Marketing, Media, Metalwork, Motors, Music, Nurseries, Optics, Packaging, Photography, Plumbing,
  Precision Parts, Print, Properties, Publishing, Recruitment, Roofing, Scaffolding, Seafood, Security, Software, Solar, Stationers, Surveyors,
  Textiles, Timber, Training, Transport, Travel, Veterinary, Wholesale, Wines`,
);

export const SURNAMES = splitList(
  `Abbot, Ainsley, Barrow, Bexley, Calder, Carrow, Dacre, Denholm, Eastley, Ellwood, Farrow, Fenwick, Galloway, Gresham, Hadley, Holcombe, Ingram,
  Jessop, Kendrick, Langley, Lorimer, Marlow, Merrick, Newsome, Norbury, Okafor, Osgood, Patel, Penrose, Quill, Radcliffe, Ridley, Sandhu, Selwyn,
  Singh, Tamworth, Thackray, Underhill, Vickers, Wainwright, Whitlock, Yardley`,
);

export const FORENAMES = splitList(
  `Adaeze, Alan, Amara, Anil, Beatrice, Callum, Catherine, Daniel, Elaine, Farah, George, Grace, Harriet, Imran, Jacob, Joanna, Karen, Leo, Maya,
  Nathan, Olivia, Peter, Quentin, Rachel, Samuel, Sunita, Thomas, Uma, Victor, Wendy, Yusuf, Zoe`,
);

export const STREETS = splitList(
  `Albion Way, Bridge Street, Castle Road, Chapel Lane, Church Street, Dock Road, Exchange Square, Foundry Lane, Grange Road, High Street, Kings Road,
  London Road, Market Place, Mill Lane, New Street, North Parade, Park Lane, Queen Street, Railway Terrace, Station Road, The Green, Victoria Street,
  Wharf Road, York Road`,
);

export const TOWNS: readonly { readonly locality: string; readonly region?: string; readonly area: string }[] = [
  { locality: 'Birmingham', area: 'B' },
  { locality: 'Bristol', area: 'BS' },
  { locality: 'Cambridge', region: 'Cambridgeshire', area: 'CB' },
  { locality: 'Exeter', region: 'Devon', area: 'EX' },
  { locality: 'Guildford', region: 'Surrey', area: 'GU' },
  { locality: 'Leeds', region: 'West Yorkshire', area: 'LS' },
  { locality: 'Leicester', region: 'Leicestershire', area: 'LE' },
  { locality: 'London', area: 'SE' },
  { locality: 'Manchester', area: 'M' },
  { locality: 'Newcastle upon Tyne', region: 'Tyne and Wear', area: 'NE' },
  { locality: 'Norwich', region: 'Norfolk', area: 'NR' },
  { locality: 'Nottingham', region: 'Nottinghamshire', area: 'NG' },
  { locality: 'Reading', region: 'Berkshire', area: 'RG' },
  { locality: 'Sheffield', region: 'South Yorkshire', area: 'S' },
  { locality: 'Southampton', region: 'Hampshire', area: 'SO' },
];
